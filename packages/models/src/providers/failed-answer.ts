// An answer that is none, as the error that failures are told from: its status, its headers, and how it begins.

import { APICallError } from '@ai-sdk/provider';

/** Of an error, so much is read; the rest says nothing more. */
const maxErrorBytes = 64 * 1024;

/** The body as far as it was received. Does not throw if the connection breaks: the status says enough. */
export async function startOf(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; size < maxErrorBytes; ) {
    const next = await reader.read().catch(() => undefined);
    if (!next || next.done) return text;
    size += next.value.length;
    text += decoder.decode(next.value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return text;
}

/** The whole body. Throws an error with the status of the answer if the connection breaks. */
export function wholeText(response: Response): Promise<string> {
  return response.text().catch((cause: unknown) => {
    throw callError(response, '', cause);
  });
}

export function callError(response: Response, responseBody: string, cause?: unknown): APICallError {
  return new APICallError({
    message: cause === undefined ? response.statusText : 'Invalid JSON response',
    url: response.url,
    requestBodyValues: undefined,
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
    cause,
  });
}
