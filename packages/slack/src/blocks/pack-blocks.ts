// Atoms to blocks: those that can stand together in a `rich_text` block do so, until it is full.

import type { types } from '@slack/bolt';
import type { Atom, WholeAtom } from './atoms.ts';
import { ours } from './limits.ts';
import { joinSpans, lengthOf, type Span, toSpans, weighSpans } from './spans.ts';

export interface Weighed {
  readonly block: types.KnownBlock;
  readonly weight: number;
}

export function* packBlocks(atoms: Iterable<Atom>): Iterable<Weighed> {
  let rich = new RichText();
  for (const atom of atoms) {
    if (atom.kind !== 'whole' && rich.take(atom)) continue;
    if (!rich.isEmpty) yield rich.end();
    rich = new RichText();
    if (atom.kind === 'whole') yield { block: atom.block, weight: ours.blockWeight + weighWhole(atom.block) };
    else rich.take(atom);
  }
  if (!rich.isEmpty) yield rich.end();
}

function weighWhole(block: WholeAtom['block']): number {
  return block.type === 'divider' ? 0 : weighStrings(block.type === 'header' ? block.text.text : block.rows);
}

/** The length of all that is said in it, names of kinds left out. */
export function weighStrings(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + (key === 'type' ? 0 : weighStrings(inner)), 0);
}

type RichAtom = Exclude<Atom, WholeAtom>;

class RichText {
  readonly #elements: types.RichTextBlockElement[] = [];
  #last: RichAtom | undefined;
  #length = 0;
  #weight = 0;

  get isEmpty(): boolean {
    return this.#elements.length === 0;
  }

  /** Whether there was room for it. */
  take(atom: RichAtom): boolean {
    const spans = this.#spansOf(atom);
    const [length, weight] = [lengthOf(spans), weighSpans(spans) + ours.elementWeight];
    const isFull = this.#length + length > ours.richText || this.#weight + weight > ours.richTextWeight;
    if (isFull && !this.isEmpty) return false;
    this.#length += length;
    this.#weight += weight;
    const open = this.#elements.at(-1);
    if (open !== undefined && this.#goesOn(atom)) add(open, spans);
    else this.#elements.push(toElement(atom, spans));
    this.#last = atom;
    return true;
  }

  end(): Weighed {
    return { block: { type: 'rich_text', elements: this.#elements }, weight: ours.blockWeight + this.#weight };
  }

  /** Its words, and before them the space to what it follows. */
  #spansOf(atom: RichAtom): readonly Span[] {
    if (atom.kind === 'code') return toSpans(atom.text);
    const last = this.#last;
    if (atom.kind === 'quote' && this.#goesOn(atom)) return [...toSpans('\n\n'), ...atom.spans];
    if (atom.kind !== 'text' || last === undefined || last.kind === 'code') return atom.spans;
    const isClose = last.kind !== 'text' || last.isHeading;
    return [...toSpans(isClose ? '\n' : '\n\n'), ...atom.spans];
  }

  #goesOn(atom: RichAtom): boolean {
    const last = this.#last;
    if (atom.kind === 'text') return last?.kind === 'text';
    if (atom.kind === 'quote') return last?.kind === 'quote' && last.group === atom.group;
    if (atom.kind !== 'item' || last?.kind !== 'item') return false;
    const isNext = atom.style === 'bullet' || atom.number === last.number + 1;
    return isNext && atom.style === last.style && atom.indent === last.indent && atom.isQuoted === last.isQuoted;
  }
}

function add(element: types.RichTextBlockElement, spans: readonly Span[]): void {
  if (element.type === 'rich_text_list') element.elements.push(toSection(spans));
  else if (element.type !== 'rich_text_preformatted')
    element.elements = [...joinSpans([...(element.elements as Span[]), ...spans])];
}

/** `offset` is in Slack's reference, and not in its types. */
type NumberedList = types.RichTextList & { offset?: number };

function toElement(atom: RichAtom, spans: readonly Span[]): types.RichTextBlockElement {
  switch (atom.kind) {
    case 'text':
      return toSection(spans);
    case 'quote':
      return { type: 'rich_text_quote', elements: [...joinSpans(spans)] };
    case 'code':
      return { type: 'rich_text_preformatted', elements: [...spans], ...(atom.isQuoted && { border: 1 as const }) };
    case 'item': {
      const list: NumberedList = {
        type: 'rich_text_list',
        style: atom.style,
        indent: atom.indent,
        elements: [toSection(spans)],
      };
      if (atom.number > 1) list.offset = atom.number - 1;
      if (atom.isQuoted) list.border = 1;
      return list;
    }
  }
}

function toSection(spans: readonly Span[]): types.RichTextSection {
  return { type: 'rich_text_section', elements: [...joinSpans(spans)] };
}
