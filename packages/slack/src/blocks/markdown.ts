// Markdown as models write it to trees, piece by piece: what is not read is not parsed, and what would take too long is not tried.

import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { followFence } from './fence.ts';
import { estimateWork, mostWork } from './markdown-work.ts';

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
  if (/^#{1,6}\s/.test(line) || (isAfterEmpty && /^[^\s|+*<=\d-]/.test(line))) return true;
  // A list without end: each part of it is a list, and has its own numbers.
  return length >= 2 * pieceLength && /^(?:[-*+]|\d{1,9}[.)])\s/.test(line);
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
