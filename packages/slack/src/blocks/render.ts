// A Markdown tree as atoms: headings, paragraphs, lists, quotes, code and tables, in the order they stand.

import type { BlockContent, Definition, Heading, List, ListItem, Nodes, Root, RootContent } from 'mdast';
import type { Atom } from './atoms.ts';
import { type Definitions, toInline } from './inline.ts';
import { limits, ours } from './limits.ts';
import { gatherText, type Parsed } from './markdown.ts';
import { cleanText } from './safe-text.ts';
import { lengthOf, plainOf, type Span, splitSpans, splitText, toSpans, trimSpans } from './spans.ts';
import { toTableAtoms } from './tables.ts';

/** `isDraft`: only what stands in `rich_text`, and tables as they are written, for they may not have ended. */
export function* toAtoms(parsed: Parsed, isDraft = false): Iterable<Atom> {
  if (parsed.tree === undefined) {
    yield* toTexts(toSpans(parsed.source.trim()));
    return;
  }
  const { tree, source } = parsed;
  const place: Place = { source, isDraft, ...gatherDefinitions(tree), indent: 0, depth: 0 };
  for (const node of tree.children) yield* renderBlock(node, place);
}

interface Place {
  readonly source: string;
  readonly isDraft: boolean;
  readonly definitions: Definitions;
  /** Those that a link of the text refers to: they need no line of their own. */
  readonly used: ReadonlySet<string>;
  readonly indent: number;
  readonly depth: number;
  /** The quote it stands in. */
  readonly quote?: object;
}

function gatherDefinitions(tree: Root): { readonly definitions: Definitions; readonly used: ReadonlySet<string> } {
  const definitions = new Map<string, Definition>();
  const used = new Set<string>();
  const open: Nodes[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'linkReference' || node.type === 'imageReference') used.add(node.identifier);
    if ('children' in node) for (const child of node.children) open.push(child);
    // The first one holds, and the last was opened first.
    if (node.type === 'definition') definitions.set(node.identifier, node);
  }
  return { definitions, used };
}

function* renderBlock(node: RootContent, place: Place): Iterable<Atom> {
  if (place.depth > ours.depth) {
    yield* toWords(toSpans(gatherText(node).trim()), place);
    return;
  }
  switch (node.type) {
    case 'heading':
      yield* toHeading(node, place);
      break;
    case 'paragraph':
      yield* toWords(toInline(node.children, place.definitions), place);
      break;
    case 'html':
      yield* toWords(toSpans(node.value.trim()), place);
      break;
    case 'code':
      yield* toCode(node.value, place.quote !== undefined);
      break;
    case 'thematicBreak':
      yield place.isDraft ? toText(toSpans('———')) : { kind: 'whole', block: { type: 'divider' } };
      break;
    case 'blockquote':
      yield* renderAll(node.children, { ...place, quote: place.quote ?? {}, depth: place.depth + 1 });
      break;
    case 'list':
      yield* toList(node, place);
      break;
    default:
      yield* renderRare(node, place);
  }
}

type Common = 'heading' | 'paragraph' | 'html' | 'code' | 'thematicBreak' | 'blockquote' | 'list';

function* renderRare(node: Exclude<RootContent, { type: Common }>, place: Place): Iterable<Atom> {
  switch (node.type) {
    case 'table':
      if (place.isDraft) yield* toCode(sliceOf(node, place.source), false);
      else yield* toTableAtoms(node, place.definitions);
      break;
    case 'footnoteDefinition':
      yield* withMark(
        `[${node.label ?? node.identifier}] `,
        renderAll(node.children, { ...place, depth: place.depth + 1 }),
      );
      break;
    case 'definition':
      if (!place.used.has(node.identifier))
        yield* toWords(toSpans(`[${node.label ?? node.identifier}]: ${node.url}`), place);
      break;
    default:
      yield* toWords(toSpans(gatherText(node)), place);
  }
}

function* renderAll(nodes: readonly RootContent[], place: Place): Iterable<Atom> {
  for (const node of nodes) yield* renderBlock(node, place);
}

/** The first two levels are headers, where a header can say them. */
function* toHeading(node: Heading, place: Place): Iterable<Atom> {
  const text = gatherText(node);
  const isPlain = node.children.every((child) => child.type === 'text');
  const words = cleanText(text).replace(/\s+/g, ' ').trim();
  const isHeader = node.depth <= 2 && isPlain && words !== '' && words.length <= limits.header.text;
  if (isHeader && !place.isDraft && place.depth === 0)
    yield { kind: 'whole', block: { type: 'header', text: { type: 'plain_text', text: words, emoji: false } } };
  else yield* toWords(toInline(node.children, place.definitions, { bold: true }), place, true);
}

/** Words where they stand: in a quote, or free. */
function* toWords(spans: readonly Span[], place: Place, isHeading = false): Iterable<Atom> {
  const { quote } = place;
  if (quote === undefined) yield* toTexts(spans, isHeading);
  else for (const part of splitSpans(spans)) yield { kind: 'quote', spans: part, group: quote };
}

function* toTexts(spans: readonly Span[], isHeading = false): Iterable<Atom> {
  for (const part of splitSpans(spans)) yield toText(part, isHeading);
}

function toText(spans: readonly Span[], isHeading = false): Atom {
  return { kind: 'text', spans, isHeading };
}

function* toCode(text: string, isQuoted: boolean): Iterable<Atom> {
  for (const part of splitText(cleanText(text), ours.richText)) {
    // A part ends where its last line ends.
    const words = part.replace(/\n$/, '');
    if (words.trim() !== '') yield { kind: 'code', text: words, isQuoted };
  }
}

/** One item after the other: what is not a list and not words stands between them, and the numbers go on. */
function* toList(node: List, place: Place): Iterable<Atom> {
  const first = node.start ?? 1;
  for (const [index, item] of node.children.entries()) {
    const shape = {
      style: node.ordered ? 'ordered' : 'bullet',
      indent: Math.min(place.indent, limits.list.indent),
      number: node.ordered ? first + index : 0,
      isQuoted: place.quote !== undefined,
    } as const;
    const [spans, ...others] = toItemSpans(item, place);
    yield { kind: 'item', spans: spans ?? toSpans(' '), ...shape };
    for (const part of others) yield toText(part);
    yield* renderAll(item.children.slice(countWords(item)), {
      ...place,
      indent: place.indent + 1,
      depth: place.depth + 1,
    });
  }
}

/** Paragraphs at its beginning are the item itself. */
function toItemSpans(item: ListItem, place: Place): readonly (readonly Span[])[] {
  const mark = item.checked === true ? '☑ ' : item.checked === false ? '☐ ' : '';
  const paragraphs = item.children.slice(0, countWords(item)).map((child) => toParagraph(child, place));
  const words = paragraphs.filter((spans) => spans.length > 0);
  const joined = words.flatMap((spans, index) => [...(index > 0 ? toSpans('\n') : []), ...spans]);
  return splitSpans(trimSpans([...toSpans(mark), ...joined]));
}

function toParagraph(child: BlockContent | ListItem['children'][number], place: Place): readonly Span[] {
  return child.type === 'paragraph' ? toInline(child.children, place.definitions) : [];
}

function countWords(item: ListItem): number {
  const end = item.children.findIndex((child) => child.type !== 'paragraph');
  return end === -1 ? item.children.length : end;
}

function* withMark(mark: string, atoms: Iterable<Atom>): Iterable<Atom> {
  let spans = toSpans(mark);
  for (const atom of atoms) {
    if (
      spans.length > 0 &&
      (atom.kind === 'text' || atom.kind === 'quote') &&
      lengthOf(atom.spans) < ours.richText - 100
    )
      yield { ...atom, spans: [...spans, ...atom.spans] };
    else yield* [...(spans.length > 0 ? [toText(trimSpans(spans))] : []), atom];
    spans = [];
  }
  if (plainOf(spans).trim() !== '') yield toText(trimSpans(spans));
}

function sliceOf(node: Nodes, source: string): string {
  const { start, end } = node.position ?? {};
  return start?.offset === undefined || end?.offset === undefined
    ? gatherText(node)
    : source.slice(start.offset, end.offset);
}
