// What was too long for a conversation, kept for the tree that produced it.

import { keptOutputBytes } from './defaults.ts';
import { utf8Bytes } from './text.ts';

/** Nobody but the tree that put something in can name it. */
export interface OutputStore {
  put(handle: string, text: string): void | Promise<void>;
  get(handle: string): string | undefined | Promise<string | undefined>;
}

/** What a tree's handle is in a store: one that trees share keeps them apart. */
export function outputKey(originId: string, handle: string): string {
  return `${originId}/${handle}`;
}

/** In memory, bounded: when it is full, the oldest go. */
export class MemoryOutputs implements OutputStore {
  readonly #texts = new Map<string, { readonly text: string; readonly bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number = keptOutputBytes) {
    this.#maxBytes = maxBytes;
  }

  put(handle: string, text: string): void {
    const bytes = utf8Bytes(text);
    this.#drop(handle);
    this.#texts.set(handle, { text, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#texts.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  }

  get(handle: string): string | undefined {
    return this.#texts.get(handle)?.text;
  }

  #drop(handle: string): void {
    this.#bytes -= this.#texts.get(handle)?.bytes ?? 0;
    this.#texts.delete(handle);
  }
}
