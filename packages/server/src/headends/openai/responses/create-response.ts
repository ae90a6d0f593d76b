// One request for a response: read, replied to, and kept if nobody says otherwise.

import type { AssistantMessage } from '@ai-agent/core';
import type { Context } from 'hono';
import type { Inside } from '../../../door.ts';
import { replyToTalk, type Started, type TalkApi } from '../../../talk/reply-to-talk.ts';
import type { Said } from '../../../talk/said.ts';
import { defaultTalkBytes, type TalkRoutes } from '../../../talk/talk-routes.ts';
import { whoseOf } from '../../../talk/whose.ts';
import type { Visitor } from '../../../visitor.ts';
import { toOpenaiError } from '../openai-error.ts';
import { type Fields, readModel, readObject } from '../read-object.ts';
import { WrongField } from '../wrong-field.ts';
import { toInputItems } from './input-items.ts';
import type { KeptResponses } from './kept-responses.ts';
import { type ToId, toOutput } from './output-items.ts';
import { type Earlier, namedIn, type ResponsesRequest, readResponses } from './read-responses.ts';
import { type ResponseObject, toResponse, toSaid } from './response-object.ts';
import { ResponseWriter } from './response-writer.ts';

export interface ResponsesRoutes extends TalkRoutes {
  readonly kept: KeptResponses;
}

export async function createResponse(context: Context<Inside>, routes: ResponsesRoutes): Promise<Response> {
  const { hall, memory, options } = routes;
  const request = context.req.raw;
  const visitor = context.get('visitor');
  const { maxBodyBytes = defaultTalkBytes } = options;
  const body = await readObject(request, maxBodyBytes);
  const served = hall.agent(readModel(body), visitor);
  const earlier = await findEarlier(routes, visitor, body);
  const read = readResponses(body, { served, earlier, headers: request.headers });
  const { isStream } = read;
  const { showsActivity = options.showsActivity } = read.talk;
  const talk = { ...read.talk, showsActivity };
  const api = toApi(read, visitor, routes);
  return replyToTalk({ hall, memory, request, visitor, headend: 'openai', talk, isStream, idPrefix: 'call_', api });
}

/** What is kept for this one, and for nobody else. */
async function findEarlier({ kept }: ResponsesRoutes, visitor: Visitor, body: Fields): Promise<Earlier> {
  const whose = whoseOf(visitor);
  const { responseId, itemIds } = namedIn(body);
  const previous = responseId === undefined ? undefined : await kept.find(responseId, whose);
  const items = await kept.items(itemIds, whose);
  return {
    conversed(id) {
      if (previous?.conversed) return previous.conversed;
      throw new WrongField('previous_response_id', `Previous response with id '${id}' not found.`, {
        trouble: 'previous_response_not_found',
        remedy: 'Send the whole conversation as input; responses are kept for a day, and not with store: false.',
      });
    },
    item: (id) => items.get(id),
  };
}

function toApi(read: ResponsesRequest, visitor: Visitor, { hall, kept }: ResponsesRoutes): TalkApi {
  const { echo, tools, conversed } = read;
  const now = () => hall.clock.now();
  const begin = ({ replyId, createdAt }: Started) => ({
    response: toResponse(`resp_${replyId}`, createdAt, echo),
    toId: toIds(replyId),
  });
  const keep = async (response: ResponseObject, toId: ToId, said?: Said) => {
    if (!echo.store) return;
    const after = said && { system: conversed.system, messages: [...conversed.messages, toMessage(said)] };
    await kept.keep({ whose: whoseOf(visitor), response, input: toInputItems(read.input, toId), conversed: after });
  };
  return {
    toWriter(stream, started) {
      const { response, toId } = begin(started);
      const onEnd = (ended: ResponseObject, said?: Said) => keep(ended, toId, said);
      return new ResponseWriter(stream, { response, tools, toId, now, onEnd });
    },
    async toBody(said, started) {
      const { response, toId } = begin(started);
      const ended = toSaid(response, said, { output: toOutput(said, tools, toId), now: now() });
      await keep(ended, toId, said);
      return ended;
    },
    idHeader: 'x-request-id',
    toError: toOpenaiError,
    // Clients that try again after every status heed what a response says of itself.
    tellsFailuresInStream: true,
  };
}

/** Of the items of one reply. */
function toIds(replyId: string): ToId {
  let items = 0;
  return (prefix) => {
    items += 1;
    return `${prefix}_${replyId}_${items}`;
  };
}

/** As the client would send it back. */
function toMessage({ text, calls }: Said): AssistantMessage {
  const said = text === '' ? [] : [{ type: 'text', text } as const];
  return { role: 'assistant', content: [...said, ...calls.map((call) => ({ type: 'tool-call', ...call }) as const)] };
}
