// A fetch whose answers are never longer than one message may be: a whole one, or each event of a stream of them.

import { AgentError } from '@ai-agent/core';
import type { FetchLike } from '@modelcontextprotocol/client';

export function boundedFetch(fetch: FetchLike, maxBytes: number): FetchLike {
  return async (url, init) => {
    const answer = await fetch(url, init);
    if (!answer.body) return answer;
    const isStream = answer.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = answer.body.pipeThrough(bound(maxBytes, isStream));
    const { status, statusText, headers } = answer;
    return new Response(body, { status, statusText, headers });
  };
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Events end with an empty line. */
function bound(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let held = 0;
  let isLineEmpty = true;
  const count = (byte: number) => {
    held++;
    if (!isStream || byte === carriageReturn) return;
    if (byte === newline && isLineEmpty) held = 0;
    isLineEmpty = byte === newline;
  };
  return new TransformStream({
    transform(chunk, controller) {
      if (isStream) for (const byte of chunk) count(byte);
      else held += chunk.length;
      if (held > maxBytes) {
        const message = `The server sent a message of more than ${Math.floor(maxBytes / 1024 / 1024)} MB.`;
        controller.error(new AgentError('tool-failed', message, { class: 'network' }));
      } else controller.enqueue(chunk);
    },
  });
}
