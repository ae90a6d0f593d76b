// Markdown as models write it to trees, piece by piece: what is not read is not parsed, and what would take too long is not tried.

import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A text without a tree is shown as it is written. */
export type Parsed =
  | { readonly tree: Root; readonly source: string }
  | { readonly tree?: never; readonly source: string };

export function* parseMarkdown(source: string): Iterable<Parsed> {
  let patience = mostWork;
  for (const piece of toPieces(source)) {
    const work = estimateWork(piece);
    if (work > patience) yield { source: piece };
    else {
      patience -= work;
      yield parsePiece(piece);
    }
  }
}

function parsePiece(source: string): Parsed {
  try {
    return { tree: fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), source };
  } catch {
    // Whatever the parser cannot do, words must not be lost by it.
    return { source };
  }
}

/** All words of a node, however deep it is. */
export function gatherText(node: Nodes): string {
  const open: Nodes[] = [node];
  let text = '';
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('value' in next) text += next.value;
    else if ('alt' in next) text += next.alt ?? '';
    else if (next.type === 'break') text += '\n';
    if (!('children' in next)) continue;
    if (next !== node && /^(?:paragraph|heading|tableRow|tableCell)$/.test(next.type) && text !== '') text += '\n';
    for (let i = next.children.length - 1; i >= 0; i--) open.push(next.children[i] as Nodes);
  }
  return text;
}

/** Cut before a line that begins something new at the left edge, after an empty one: nothing that is open goes on there. */
function* toPieces(source: string): Iterable<string> {
  // What a name means may be said anywhere in the text.
  if (source.length <= pieceLength || /^ {0,3}\[[^\]\n]{1,999}\]:/m.test(source)) {
    yield* splitLong(source);
    return;
  }
  let [from, at, isAfterEmpty, fence] = [0, 0, false, ''];
  for (const line of source.matchAll(/.*\n?/g)) {
    const [text] = line;
    if (fence === '' && at - from >= pieceLength && beginsNew(text, isAfterEmpty, at - from)) {
      yield* splitLong(source.slice(from, at));
      from = at;
    }
    fence = followFence(text, fence);
    isAfterEmpty = text.trim() === '';
    at += text.length;
  }
  if (from < source.length) yield* splitLong(source.slice(from));
}

const pieceLength = 8_000;

function beginsNew(line: string, isAfterEmpty: boolean, length: number): boolean {
  if (/^#{1,6}\s/.test(line) || (isAfterEmpty && /^[^\s>|+*<=\d-]/.test(line))) return true;
  // A list without end: each part of it is a list, and has its own numbers.
  return length >= 2 * pieceLength && /^(?:[-*+]|\d{1,9}[.)])\s/.test(line);
}

/** The fence that is open after a line, or nothing. */
export function followFence(line: string, open: string): string {
  const [, marks = '', rest = ''] = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)*(`{3,}|~{3,})(.*)/.exec(line) ?? [];
  if (marks === '') return open;
  if (open === '') return marks.startsWith('`') && rest.includes('`') ? '' : marks;
  return marks.startsWith(open) && rest.trim() === '' ? '' : open;
}

/** What no message could hold in one is cut at lines, wherever that is. */
function* splitLong(piece: string): Iterable<string> {
  let from = 0;
  while (piece.length - from > longest) {
    const line = piece.lastIndexOf('\n', from + longest) + 1;
    const to = line > from ? line : from + longest;
    yield piece.slice(from, to);
    from = to;
  }
  yield piece.slice(from);
}

const longest = 120_000;

/**
 * Marks inside a paragraph are matched each with each other, for a run of ticks its like is looked for, and containers are
 * opened one in the other. No text that somebody reads has so many of them.
 */
function estimateWork(source: string): number {
  if (/^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){12}/m.test(source)) return Number.POSITIVE_INFINITY;
  if (/^[ \t>]{80}[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/m.test(source)) return Number.POSITIVE_INFINITY;
  let [work, marks, length, fence] = [0, 0, 0, ''];
  let ticks = new Set<number>();
  for (const line of source.split('\n')) {
    // Code has no marks; but where one thinks that code is, a hostile text may have none.
    marks += count(line, /[*_~[\]]/g) / (fence === '' ? 1 : 3);
    for (const [run] of line.matchAll(/`+/g)) ticks.add(run.length);
    length += line.length;
    fence = followFence(line, fence);
    if (line.trim() !== '' && !/^[ \t]*[-*+][ \t]+\S/.test(line)) continue;
    work += marks ** 2 + ticks.size * length;
    [marks, length, ticks] = [0, 0, new Set()];
  }
  return work + marks ** 2 + ticks.size * length;
}

/** About a quarter of a second. */
const mostWork = 6_000_000;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
