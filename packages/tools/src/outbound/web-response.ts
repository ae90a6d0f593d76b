// An answer of the library as the one that the platform has: others ask with `instanceof` whether it is one.

import { AgentError } from '@ai-agent/core';
import type { Response as Received } from 'undici';

const withoutBody = new Set([204, 205, 304]);

export function toWebResponse(received: Received, isRedirected: boolean): Response {
  const { status } = received;
  if (status < 200 || status > 599) {
    received.body?.cancel().catch(() => {});
    throw new AgentError('tool-failed', `The server answered with status ${status}, which HTTP does not have.`, {
      class: 'network',
    });
  }
  const body = withoutBody.has(status) ? null : (received.body as ReadableStream<Uint8Array> | null);
  const statusText = /^[\t -~]*$/.test(received.statusText) ? received.statusText : '';
  const answer = new Response(body, { status, statusText, headers: [...received.headers] });
  // The getter keeps the library's answer as long as ours: it ends the stream when nobody has it any more.
  return Object.defineProperties(answer, {
    url: { get: () => received.url },
    redirected: { value: isRedirected },
  });
}
