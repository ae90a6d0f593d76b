// The body of an answer: read up to a bound, and as text in the letters it was written in.

import { TextDecoder } from 'node:util';

export interface ReadBytes {
  readonly bytes: Uint8Array;
  /** Whether there was more. */
  readonly isCut: boolean;
}

/** Reads at most so many bytes, until somebody says stop, and gives the rest back to the network unread. */
export async function readBytes(response: Response, maxBytes: number, stop?: AbortSignal): Promise<ReadBytes> {
  const reader = response.body?.getReader();
  if (!reader) return { bytes: new Uint8Array(), isCut: false };
  const leave = () => void reader.cancel().catch(() => {});
  stop?.addEventListener('abort', leave, { once: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    while (length <= maxBytes) {
      const { done, value } = await reader.read();
      if (done) return { bytes: Buffer.concat(chunks), isCut: stop?.aborted ?? false };
      chunks.push(value);
      length += value.byteLength;
    }
  } finally {
    // Whoever sent it may be gone already.
    leave();
    stop?.removeEventListener('abort', leave);
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: true };
}

/** In the charset that the answer names; in UTF-8 when it names none, or one that nobody knows. */
export function decode(bytes: Uint8Array, contentType: string): string {
  return decoderOf(contentType).decode(bytes);
}

export function decoderOf(contentType: string): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Without parameters, in lower case. */
export function mediaTypeOf(contentType: string): string {
  return contentType.replace(/;.*$/s, '').trim().toLowerCase();
}
