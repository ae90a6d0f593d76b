// `/v1/messages`: a conversation, and what the agent says next; `/v1/messages/count_tokens`.

import type { Hono } from 'hono';
import type { Inside } from '../../door.ts';
import { replyToTalk, type Started, type TalkApi } from '../../talk/reply-to-talk.ts';
import { defaultTalkBytes, type TalkRoutes } from '../../talk/talk-routes.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { toAnthropicError } from './anthropic-error.ts';
import { countTokens } from './count-tokens.ts';
import { type MessageHead, toMessage } from './message-reply.ts';
import { MessageWriter } from './message-writer.ts';
import { checkMaxTokens, readMessages, readMessagesBody } from './read-messages.ts';
import { tellingThreads } from './thread-unknown.ts';
import { type Ending, Threads } from './threads.ts';

export function mountMessages(app: Hono<Inside>, { hall, memory, options }: TalkRoutes): void {
  const { maxBodyBytes = defaultTalkBytes } = options;
  const threads = new Threads(hall);
  app.post('/v1/messages', (context) =>
    tellingThreads(async () => {
      const request = context.req.raw;
      const visitor = context.get('visitor');
      const sent = await readMessagesBody(request, maxBodyBytes);
      const served = hall.agent(sent.model, visitor);
      checkMaxTokens(sent);
      const body = await threads.toWhole(sent, visitor);
      const { talk, isStream, showsThinking } = readMessages(body, request.headers, options);
      const inputTokens = isStream ? countTokens(served, talk, hall.clock.now()) : 0;
      const known = { model: body.model, showsThinking, inputTokens };
      const api = toApi(known, (ending) => threads.hold(body, visitor, ending));
      const asked = { hall, memory, request, visitor, headend: 'anthropic', idPrefix: 'toolu_' } as const;
      return replyToTalk({ ...asked, talk, isStream, api });
    }),
  );
  app.post('/v1/messages/count_tokens', async (context) => {
    const body = await readMessagesBody(context.req.raw, maxBodyBytes);
    const served = hall.agent(body.model, context.get('visitor'));
    const { talk } = readMessages(body, context.req.raw.headers, options);
    return context.json({ input_tokens: countTokens(served, talk, hall.clock.now()) });
  });
  for (const path of ['/v1/messages', '/v1/messages/count_tokens'])
    app.all(path, () => wrongMethod('POST', toAnthropicError));
}

function toApi(known: Omit<MessageHead, 'id'>, onEnd: (ending: Ending) => Promise<void>): TalkApi {
  const toHead = ({ replyId }: Started): MessageHead => ({ id: `msg_${replyId}`, ...known });
  return {
    toWriter(stream, started) {
      const head = toHead(started);
      return new MessageWriter(stream, head, (said) => onEnd({ head, said }));
    },
    async toBody(said, started) {
      const head = toHead(started);
      await onEnd({ head, said });
      return toMessage(said, head);
    },
    idHeader: 'request-id',
    toError: toAnthropicError,
  };
}
