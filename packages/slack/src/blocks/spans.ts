// Words with their look, as `rich_text` holds them: joined where they look the same, measured, and parted where a limit is.

import type { types } from '@slack/bolt';
import { ours } from './limits.ts';
import { cleanText, wholeCharacters } from './safe-text.ts';

export type Span = types.RichTextText | types.RichTextLink;
export type Style = NonNullable<types.RichTextText['style']>;

/** Never empty: Slack refuses the whole message for one element without words. */
export function toSpans(text: string, style: Style = {}): readonly Span[] {
  const words = cleanText(text);
  if (words === '') return [];
  return [{ type: 'text', text: words, ...(Object.keys(style).length > 0 && { style }) }];
}

export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && isAlike(last, span))
      joined[joined.length - 1] = { ...last, text: last.text + textOf(span) };
    else joined.push(span);
  }
  return joined;
}

function isAlike(one: Span, other: Span): one is types.RichTextText {
  return one.type === 'text' && other.type === 'text' && JSON.stringify(one.style) === JSON.stringify(other.style);
}

export function textOf(span: Span): string {
  return span.text ?? (span.type === 'link' ? span.url : '');
}

export function plainOf(spans: readonly Span[]): string {
  return spans.map(textOf).join('');
}

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + textOf(span).length, 0);
}

/** What they count for in a message: addresses too, and what stands around the words. */
export function weighSpans(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + weighSpan(span), 0) + ours.elementWeight;
}

function weighSpan(span: Span): number {
  return textOf(span).length + (span.type === 'link' ? span.url.length : 0) + ours.elementWeight;
}

/** Without the white space around them. */
export function trimSpans(spans: readonly Span[]): readonly Span[] {
  const trimmed = [...spans];
  while (trimmed[0] !== undefined && isText(trimmed[0])) {
    const text = trimmed[0].text.trimStart();
    if (text !== '') {
      trimmed[0] = { ...trimmed[0], text };
      break;
    }
    trimmed.shift();
  }
  for (let last = trimmed.at(-1); last !== undefined && isText(last); last = trimmed.at(-1)) {
    const text = last.text.trimEnd();
    trimmed.pop();
    if (text === '') continue;
    trimmed.push({ ...last, text });
    break;
  }
  return trimmed;
}

function isText(span: Span): span is types.RichTextText {
  return span.type === 'text';
}

/** In parts that a block can hold, each as full as it may be. */
export function splitSpans(spans: readonly Span[]): readonly (readonly Span[])[] {
  const parts: Span[][] = [];
  let part: Span[] = [];
  let [length, weight] = [0, 0];
  for (const span of spans.flatMap(splitSpan)) {
    const isFull = length + textOf(span).length > ours.richText || weight + weighSpan(span) > ours.richTextWeight;
    if (isFull && part.length > 0) {
      parts.push(part);
      [part, length, weight] = [[], 0, 0];
    }
    part.push(span);
    length += textOf(span).length;
    weight += weighSpan(span);
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function splitSpan(span: Span): readonly Span[] {
  const text = textOf(span);
  // Cut smaller than a block, so that what stands before it leaves no block nearly empty.
  return text.length <= pieceLength ? [span] : splitText(text, pieceLength).map((piece) => ({ ...span, text: piece }));
}

const pieceLength = 1_400;

/** At a line where there is one in the second half, else between words, else where the end comes. No sign is lost. */
export function splitText(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > most) {
    const piece = text.slice(from, from + most);
    const line = piece.lastIndexOf('\n') + 1;
    const word = piece.lastIndexOf(' ') + 1;
    const hard = wholeCharacters(text, from + most) - from;
    const length = line > most / 2 ? line : word > most / 2 ? word : hard;
    pieces.push(piece.slice(0, length));
    from += length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}
