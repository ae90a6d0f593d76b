// The body of a request as text: never more of it in memory than is taken, and UTF-8 or nothing.

import { AgentError } from '@ai-agent/core';

/** What `maxBodyBytes` is where nobody says. */
export const defaultBodyBytes = 1024 * 1024;

/** Throws `request-too-large` and `request-invalid`. */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  const { headers } = request;
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new AgentError('request-invalid', `The body is encoded as ${encoding}; send it as it is.`);
  const bytes = await collect(request, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AgentError('request-invalid', 'The body is not UTF-8 text.', { cause: error });
  }
}

async function collect({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new AgentError('request-invalid', 'The body broke off before its end.', { cause: error });
    });
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      // Nobody waits until the rest was thrown away.
      reader.cancel().catch(() => {});
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

function tooLarge(maxBytes: number): AgentError {
  return new AgentError('request-too-large', `The body is larger than the ${maxBytes} bytes that are taken.`);
}
