// What a Markdown document is made of on its way to blocks: small parts, each of which a block can hold.

import type { types } from '@slack/bolt';
import type { Span } from './spans.ts';

export type Atom = TextAtom | QuoteAtom | CodeAtom | ItemAtom | WholeAtom;

interface TextAtom {
  readonly kind: 'text';
  readonly spans: readonly Span[];
  /** What follows a heading follows it closely. */
  readonly isHeading: boolean;
}

interface QuoteAtom {
  readonly kind: 'quote';
  readonly spans: readonly Span[];
  /** Paragraphs of the same quote have the same. */
  readonly group: object;
}

interface CodeAtom {
  readonly kind: 'code';
  readonly text: string;
  readonly isQuoted: boolean;
}

interface ItemAtom {
  readonly kind: 'item';
  readonly spans: readonly Span[];
  readonly style: 'bullet' | 'ordered';
  readonly indent: number;
  /** Its number in an ordered list. */
  readonly number: number;
  readonly isQuoted: boolean;
}

/** A block of its own. */
export interface WholeAtom {
  readonly kind: 'whole';
  readonly block: types.HeaderBlock | types.DividerBlock | types.TableBlock;
}
