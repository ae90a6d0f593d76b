// Lines of a terminal: stretches of text in one colour each, measured and cut by what is seen.

import measure from 'fast-string-truncated-width';

/** A stretch of a line in one colour. */
export interface Piece {
  readonly text: string;
  readonly colour?: Colour;
}

/** Dim, bold, and the colours that say how something stands; as a terminal numbers them. */
export type Colour = '1' | '2' | '31' | '32' | '33' | '36';

export interface Paint {
  /** Columns that may be used; what is longer is cut. */
  readonly width: number;
  readonly isColoured: boolean;
}

export function paint(pieces: readonly Piece[], { width, isColoured }: Paint): string {
  let room = width;
  let line = '';
  for (const { text, colour } of pieces) {
    const seen = cut(text, room);
    room -= seen === text ? widthOf(text) : room;
    line += isColoured && colour && seen ? `\u001b[${colour}m${seen}\u001b[0m` : seen;
  }
  return line;
}

/** Columns, not letters: some letters take two, and some none. Marks that stand beside their letter take one. */
export function widthOf(text: string): number {
  return measure(text).width + (text.match(/\p{Mc}/gu)?.length ?? 0);
}

/** The head that fits into so many columns, with a sign that there was more. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  for (let limit = width; limit > 0; limit--) {
    const head = `${text.slice(0, measure(text, { limit, ellipsis: '…' }).index)}…`;
    if (widthOf(head) <= width) return head;
  }
  return '';
}

/** To the width of a column. */
export function padded(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + space : space + text;
}
