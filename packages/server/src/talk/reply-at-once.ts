// A reply to a client that waits for the whole of it. The run ends with the connection.

import { toReply } from '../direct-reply.ts';
import { incompleteHeaders } from '../trace-headers.ts';
import type { TalkReply } from './talk-reply.ts';
import { TalkRun } from './talk-run.ts';

export async function replyAtOnce(reply: TalkReply): Promise<Response> {
  const { request, api } = reply;
  const run = new TalkRun(reply, { think: () => {} });
  const { ended, headers, ...begun } = await run.begin({ signal: request.signal, onFact: run.hear });
  const came = await ended;
  if (came.status === 'failed') return api.toError(came.failure, { sessionId: begun.sessionId, headers });
  const [body] = await Promise.all([api.toBody(came, begun), run.remember(came)]);
  const status = { 'x-ai-agent-status': came.about.status, ...incompleteHeaders(came.about) };
  return toReply(request, `${JSON.stringify(body)}\n`, {
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers, ...status },
  });
}
