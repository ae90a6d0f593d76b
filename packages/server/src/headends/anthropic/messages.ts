// `/v1/messages`: a conversation, and what the agent says next; `/v1/messages/count_tokens`.

import { isObject } from '@ai-agent/core';
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
import { refuseThread } from './refuse-thread.ts';

export function mountMessages(app: Hono<Inside>, { hall, memory, options }: TalkRoutes): void {
  const { maxBodyBytes = defaultTalkBytes } = options;
  app.post('/v1/messages', async (context) => {
    const request = context.req.raw;
    const visitor = context.get('visitor');
    const body = await readMessagesBody(request, maxBodyBytes);
    const served = hall.agent(body.model, visitor);
    if (isObject(body.thread)) return refuseThread();
    checkMaxTokens(body);
    const { talk, isStream, showsThinking } = readMessages(body, options);
    const inputTokens = isStream ? countTokens(served, talk) : 0;
    return replyToTalk({
      hall,
      memory,
      request,
      visitor,
      headend: 'anthropic',
      talk,
      isStream,
      idPrefix: 'toolu_',
      api: toApi({ model: body.model, showsThinking, inputTokens }),
    });
  });
  app.post('/v1/messages/count_tokens', async (context) => {
    const body = await readMessagesBody(context.req.raw, maxBodyBytes);
    const served = hall.agent(body.model, context.get('visitor'));
    return context.json({ input_tokens: countTokens(served, readMessages(body, options).talk) });
  });
  for (const path of ['/v1/messages', '/v1/messages/count_tokens'])
    app.all(path, () => wrongMethod('POST', toAnthropicError));
}

function toApi(known: Omit<MessageHead, 'id'>): TalkApi {
  const toHead = ({ replyId }: Started): MessageHead => ({ id: `msg_${replyId}`, ...known });
  return {
    toWriter: (stream, started) => new MessageWriter(stream, toHead(started)),
    toBody: (said, started) => toMessage(said, toHead(started)),
    toError: toAnthropicError,
  };
}
