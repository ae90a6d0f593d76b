// The body of an answer as stream parts, whatever it is written in: read as far as somebody asks for it.

import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { replyIsComplete } from '../http/transport.ts';

export type Parts = ReadableStreamDefaultController<LanguageModelV4StreamPart>;

/** Makes parts of bytes. */
export interface PartReader {
  /** The provider said that nothing more will come, after the reply was complete. */
  readonly isDone: boolean;
  /** How many parts these bytes gave. Throws the error that they tell of. */
  take(bytes: Uint8Array, parts: Parts): number;
  /** Gives what is left, and closes; without a finish part when the provider did not say that it is finished. */
  end(parts: Parts): void | Promise<void>;
}

export function toPartStream(response: Response, stream: PartReader): ReadableStream<LanguageModelV4StreamPart> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();

  async function read(parts: Parts): Promise<void> {
    // Not everything that arrives is a part, and a pull that gives none is not repeated.
    for (let count = 0; count === 0 && !stream.isDone; ) {
      const { done, value } = await reader.read();
      if (done) return stream.end(parts);
      count = stream.take(value, parts);
    }
    if (!stream.isDone) return;
    // Some leave the body open after their last word.
    await reader.cancel(replyIsComplete);
    return stream.end(parts);
  }

  async function pull(parts: Parts): Promise<void> {
    try {
      await read(parts);
    } catch (error) {
      // The rest is of no use, and the provider need not write it.
      reader.cancel(error).catch(() => {});
      // Thrown here, it would drop the parts that are not read yet.
      parts.enqueue({ type: 'error', error });
      parts.close();
    }
  }

  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}
