// What was too long for a conversation, kept for the tree that produced it.

import { keptOutputBytes } from './defaults.ts';
import { utf8Bytes } from './text.ts';

/** What a tree has put there, that tree alone can get: `originId` is no part of what a model says. */
export interface OutputStore {
  put(originId: string, handle: string, text: string): void | Promise<void>;
  get(originId: string, handle: string): string | undefined | Promise<string | undefined>;
}

/** In memory, bounded: when it is full, the oldest go. */
export class MemoryOutputs implements OutputStore {
  readonly #texts = new Map<string, { readonly text: string; readonly bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number = keptOutputBytes) {
    this.#maxBytes = maxBytes;
  }

  put(originId: string, handle: string, text: string): void {
    const bytes = utf8Bytes(text);
    const key = `${originId}/${handle}`;
    this.#drop(key);
    this.#texts.set(key, { text, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#texts.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  }

  get(originId: string, handle: string): string | undefined {
    return this.#texts.get(`${originId}/${handle}`)?.text;
  }

  #drop(key: string): void {
    this.#bytes -= this.#texts.get(key)?.bytes ?? 0;
    this.#texts.delete(key);
  }
}
