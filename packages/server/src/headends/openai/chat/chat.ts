// `/v1/chat/completions`: a conversation, and what the agent says next.

import type { Hono } from 'hono';
import type { Inside } from '../../../door.ts';
import { replyToTalk, type TalkApi } from '../../../talk/reply-to-talk.ts';
import { defaultTalkBytes, type TalkRoutes } from '../../../talk/talk-routes.ts';
import { wrongMethod } from '../../../wrong-method.ts';
import { toOpenaiError } from '../openai-error.ts';
import { readModel, readObject } from '../read-object.ts';
import { namingFields } from '../wrong-field.ts';
import { toCompletion, toHead } from './chat-reply.ts';
import { ChatWriter } from './chat-writer.ts';
import { type Echo, readChat } from './read-chat.ts';

const path = '/v1/chat/completions';

export function mountChat(app: Hono<Inside>, { hall, memory, options }: TalkRoutes): void {
  const { maxBodyBytes = defaultTalkBytes, showsActivity } = options;
  app.post(path, (context) =>
    namingFields(async () => {
      const request = context.req.raw;
      const visitor = context.get('visitor');
      const body = await readObject(request, maxBodyBytes);
      const served = hall.agent(readModel(body), visitor);
      const { talk, isStream, echo } = readChat(body, served, request.headers);
      const api = chatApi(echo);
      const asked = { hall, memory, request, visitor, headend: 'openai', idPrefix: 'call_', isStream, api } as const;
      return replyToTalk({ ...asked, talk: { showsActivity, ...talk } });
    }),
  );
  app.all(path, () => wrongMethod('POST', toOpenaiError));
}

function chatApi(echo: Echo): TalkApi {
  return {
    toWriter: (stream, started) => new ChatWriter(stream, toHead(started, echo), echo),
    toBody: (said, started) => toCompletion(said, toHead(started, echo), echo),
    idHeader: 'x-request-id',
    toError: toOpenaiError,
    // Clients that try again after every status of a server heed the type of an error.
    tellsFailuresInStream: true,
  };
}
