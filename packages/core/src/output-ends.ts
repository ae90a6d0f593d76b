// Both ends of a long text, for whoever has no room for the rest.

import { outputReading } from './defaults.ts';
import { headBytes, tailBytes, utf8Bytes } from './text.ts';
import type { Texts } from './texts.ts';

/** Head and tail, half and half, with what is said of the cut between them; never less than is worth reading. */
export function showEnds(text: string, maxBytes: number, texts: Texts): string {
  const room = Math.max(outputReading.leastBytes, maxBytes);
  const bytes = utf8Bytes(text);
  if (bytes <= room) return text;
  const half = Math.floor(Math.max(0, room - utf8Bytes(texts.cutOutput({ bytes, head: '', tail: '' }))) / 2);
  return texts.cutOutput({ bytes, head: headBytes(text, half), tail: tailBytes(text, half) });
}
