// Errors that Gemini writes into an answer that had begun well: with the framing of the stream, or without any.

import { isObject } from '@ai-agent/core';

/** The error in what was sent: `{ error }`, or a list with one. */
export function errorIn(sent: unknown): Readonly<Record<string, unknown>> | undefined {
  const root: unknown = Array.isArray(sent) ? sent[0] : sent;
  return isObject(root) && isObject(root.error) ? root.error : undefined;
}

const lineFeed = 10;
const openings = [123, 91];
const maxErrorBytes = 64 * 1024;
/** With one of these, a Response with a body cannot be made. */
export const bodiless = new Set([204, 205]);

/** The stream, in which what begins a line as an object or a list, and so is no event, becomes one if it is an error. */
export function framed(response: Response): Response {
  const { ok, status, statusText, headers, body } = response;
  if (!ok || !body || bodiless.has(status)) return response;
  let isLineStart = true;
  const found: Uint8Array[] = [];
  const frames = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (found.length > 0) return keep(found, chunk);
      const at = startOf(chunk, isLineStart);
      isLineStart = chunk.at(-1) === lineFeed;
      if (at === -1) return controller.enqueue(chunk);
      if (at > 0) controller.enqueue(chunk.subarray(0, at));
      found.push(chunk.subarray(at));
    },
    flush(controller) {
      const event = found.length > 0 ? toEvent(Buffer.concat(found).toString()) : undefined;
      if (event) controller.enqueue(new TextEncoder().encode(event));
    },
  });
  return new Response(body.pipeThrough(frames), { status, statusText, headers });
}

function startOf(chunk: Uint8Array, isLineStart: boolean): number {
  const isOpening = (byte: number | undefined) => byte !== undefined && openings.includes(byte);
  if (isLineStart && isOpening(chunk[0])) return 0;
  for (let feed = chunk.indexOf(lineFeed); feed !== -1; feed = chunk.indexOf(lineFeed, feed + 1))
    if (isOpening(chunk[feed + 1])) return feed + 1;
  return -1;
}

function keep(found: Uint8Array[], chunk: Uint8Array): void {
  const size = found.reduce((sum, { length }) => sum + length, 0);
  if (size < maxErrorBytes) found.push(chunk);
}

function toEvent(text: string): string | undefined {
  try {
    const sent: unknown = JSON.parse(text);
    return errorIn(sent) ? `\r\n\r\ndata: ${JSON.stringify(sent)}\r\n\r\n` : undefined;
  } catch {
    return undefined;
  }
}
