// Makes a tree fit a screen: what went well is folded first, what failed stays longest, and what is cut is counted.

import { addTotals } from '@ai-agent/core';
import { amountFigures, figure, type Item } from './panel-item.ts';
import { countNames } from './tool-names.ts';

/** The tree in at most so many lines, folded no more than it must be. */
export function foldItems(root: Item, lines: number): Item {
  for (const fold of [(item: Item) => item, withoutBelowOver, withOverAsOne]) {
    const folded = fold(root);
    if (countLines(folded) <= lines) return folded;
  }
  return fitted(withOverAsOne(root), lines);
}

export function countLines({ below }: Item): number {
  return below.reduce((sum, item) => sum + countLines(item), 1);
}

/** What is over keeps its line, and of what is below it only what failed: its figures have the rest. */
function withoutBelowOver(item: Item): Item {
  const below = item.isOver ? item.below.filter(({ failures }) => failures > 0) : item.below;
  return { ...item, below: below.map(withoutBelowOver) };
}

/** Beside each other, all that went well become one line. */
function withOverAsOne(item: Item): Item {
  const { below } = withoutBelowOver(item);
  const isFolded = ({ isOver, failures }: Item) => isOver && failures === 0;
  const over = below.filter(isFolded);
  const rest = below.filter((one) => !isFolded(one)).map(withOverAsOne);
  return { ...item, below: over.length > 1 ? [asOne(over, 'done'), ...rest] : [...over, ...rest] };
}

/** In so many lines, whatever it takes. */
function fitted(item: Item, lines: number): Item {
  if (countLines(item) <= lines) return item;
  const room = lines - 1;
  if (room < 1) return closed(item);
  if (item.below.length > room) return { ...item, below: withTheRestAsOne(item.below, room) };
  const shares = sharesOf(item.below, room - item.below.length);
  return { ...item, below: item.below.map((one, i) => fitted(one, 1 + (shares[i] ?? 0))) };
}

/** Without what is below it, which is told in numbers. */
function closed(item: Item): Item {
  const hidden = item.isOver ? 0 : item.sessions - 1;
  const failed = item.failures - (item.hasFailed ? 1 : 0);
  const figures = [
    ...figure(5, hidden > 0 ? `${hidden} below` : ''),
    ...figure(6, failed > 0 ? `${failed} failed below` : '', '31'),
  ];
  return { ...item, figures: [...figures, ...item.figures], below: [] };
}

/** The first ones of most concern, in their order; the last line is for all others. */
function withTheRestAsOne(items: readonly Item[], room: number): readonly Item[] {
  const failed = items.filter(({ failures }) => failures > 0);
  const kept = new Set([...failed, ...items.filter(({ failures }) => failures === 0)].slice(0, room - 1));
  const rest = items.filter((item) => !kept.has(item));
  return [...items.filter((item) => kept.has(item)).map(closed), asOne(rest, 'more')];
}

/** How many lines below each there are: first for what failed, then for the others. */
function sharesOf(items: readonly Item[], room: number): readonly number[] {
  const failed = spread(items.map(linesForFailed), room);
  const left = failed.reduce((sum, share) => sum - share, room);
  const others = spread(
    items.map((item, i) => countLines(item) - 1 - (failed[i] ?? 0)),
    left,
  );
  return failed.map((share, i) => share + (others[i] ?? 0));
}

/** Below it; what did not fail beside them takes a line together. */
function linesForFailed({ below }: Item): number {
  const failed = below.filter(({ failures }) => failures > 0);
  if (failed.length === 0) return 0;
  return failed.reduce((sum, item) => sum + 1 + linesForFailed(item), failed.length < below.length ? 1 : 0);
}

/** Small wishes are met whole, large ones alike. */
function spread(wishes: readonly number[], room: number): readonly number[] {
  const shares = wishes.map(() => 0);
  let left = room;
  const order = wishes.map((wish, at) => ({ wish, at })).toSorted((a, b) => a.wish - b.wish);
  for (const [i, { wish, at }] of order.entries()) {
    const share = Math.min(wish, Math.ceil(left / (order.length - i)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}

/** Many items as one line. */
function asOne(folded: readonly Item[], word: string): Item {
  const items = folded.flatMap((item) => item.parts ?? [item]);
  const amount = items.map((item) => item.amount).reduce(addTotals);
  const failed = items.filter(({ hasFailed }) => hasFailed).length;
  const failures = items.reduce((sum, item) => sum + item.failures, 0);
  return {
    mark: markOfMany(items),
    role: '',
    name: `${items.length} ${word}`,
    title: namesOf(items),
    figures: [
      ...figure(4, failed > 0 ? `${failed} failed` : '', '31'),
      ...figure(4, failures > failed ? `${failures - failed} failed below` : '', '31'),
      ...amountFigures(amount),
    ],
    below: [],
    parts: items,
    isOver: items.every(({ isOver }) => isOver),
    hasFailed: failed > 0,
    sessions: items.reduce((sum, { sessions }) => sum + sessions, 0),
    failures,
    amount,
  };
}

/** That of the worst of them. */
function markOfMany(items: readonly Item[]): Item['mark'] {
  const failed = items.find(({ hasFailed }) => hasFailed);
  if (failed) return failed.mark;
  if (items.some(({ isOver }) => !isOver)) return { text: '●', colour: '36' };
  return items.find(({ mark }) => mark.text !== '✓')?.mark ?? { text: '✓', colour: '32' };
}

/** `researcher ×10, advisor law`: instances of one agent are counted. */
function namesOf(items: readonly Item[]): string {
  return countNames(items.map(({ role, name }) => `${role}${name.replace(/\[\d+\]$/, '')}`)).join(', ');
}
