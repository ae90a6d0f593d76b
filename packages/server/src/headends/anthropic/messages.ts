// `/v1/messages`: a conversation, and what the agent says next; `/v1/messages/count_tokens`.

import type { Hono } from 'hono';
import type { Inside } from '../../door.ts';
import type { Hall } from '../../hall.ts';
import { replyToTalk, type TalkApi } from '../../talk/reply-to-talk.ts';
import { defaultTalkBytes, type TalkRoutes } from '../../talk/talk-routes.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { toAnthropicError } from './anthropic-error.ts';
import { countTokens } from './count-tokens.ts';
import { type MessageHead, toMessage } from './message-reply.ts';
import { MessageWriter } from './message-writer.ts';
import { checkMaxTokens, readMessages, readMessagesBody } from './read-messages.ts';
import { ThreadUnknown, tellThreadUnknown } from './thread-unknown.ts';
import { type Ending, Threads } from './threads.ts';

export function mountMessages(app: Hono<Inside>, { hall, memory, options }: TalkRoutes): void {
  const { maxBodyBytes = defaultTalkBytes } = options;
  const threads = new Threads(hall);
  app.post('/v1/messages', async (context) => {
    const request = context.req.raw;
    const visitor = context.get('visitor');
    const sent = await readMessagesBody(request, maxBodyBytes);
    const served = hall.agent(sent.model, visitor);
    checkMaxTokens(sent);
    try {
      const body = threads.toWhole(sent, visitor);
      const { talk, isStream, showsThinking } = readMessages(body, options);
      const inputTokens = isStream ? countTokens(served, talk) : 0;
      const toHead = () => ({ id: newId(hall), model: body.model, showsThinking, inputTokens });
      const api = toApi(toHead, (ending) => threads.hold(body, visitor, ending));
      const asked = { hall, memory, request, visitor, headend: 'anthropic', idPrefix: 'toolu_' } as const;
      return await replyToTalk({ ...asked, talk, isStream, api });
    } catch (error) {
      if (error instanceof ThreadUnknown) return tellThreadUnknown(error);
      throw error;
    }
  });
  app.post('/v1/messages/count_tokens', async (context) => {
    const body = await readMessagesBody(context.req.raw, maxBodyBytes);
    const served = hall.agent(body.model, context.get('visitor'));
    return context.json({ input_tokens: countTokens(served, readMessages(body, options).talk) });
  });
  for (const path of ['/v1/messages', '/v1/messages/count_tokens'])
    app.all(path, () => wrongMethod('POST', toAnthropicError));
}

/** Each time another one, also where a session goes on: clients know by it what they have counted already. */
function newId({ ports }: Hall): string {
  return `msg_${ports.ids.next().replace(/[^A-Za-z0-9]/g, '')}`;
}

function toApi(toHead: () => MessageHead, onEnd: (ending: Ending) => void): TalkApi {
  return {
    toWriter(stream) {
      const head = toHead();
      return new MessageWriter(stream, head, (said) => onEnd({ head, said }));
    },
    toBody(said) {
      const head = toHead();
      onEnd({ head, said });
      return toMessage(said, head);
    },
    toError: toAnthropicError,
  };
}
