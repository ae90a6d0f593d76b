// A long text in parts that fit: each begins a little before the one before it ends.

import { characterAt, headBytes } from '../text.ts';

export interface Chunking {
  /** The most that one part has. */
  readonly bytes: number;
  /** How much of a part is in the next one too. At most 50. */
  readonly overlapPercent: number;
}

export function toChunks(text: string, { bytes, overlapPercent }: Chunking): readonly string[] {
  const chunks: string[] = [];
  for (let from = 0; ; ) {
    const part = headBytes(text.slice(from, from + bytes), bytes);
    if (from + part.length >= text.length) return [...chunks, part];
    const whole = toLineEnd(part);
    chunks.push(whole);
    const overlap = Math.floor((whole.length * overlapPercent) / 100);
    from = Math.max(characterAt(text, from + whole.length - overlap), from + 1);
  }
}

/** Lines stay whole where that costs little. */
function toLineEnd(part: string): string {
  const end = part.lastIndexOf('\n') + 1;
  return end > part.length * 0.8 ? part.slice(0, end) : part;
}
