// Makes a tree fit a screen: what is over is folded first, what failed and what runs stays as long as there is room.

import { inMoney, inTokens } from './figures.ts';
import { type Figure, type Item, sumOf } from './panel-item.ts';

/** The tree in at most so many lines, folded no more than it must be. */
export function foldItems(root: Item, lines: number): Item {
  const folds = [(item: Item) => item, withoutBelowOver, withOverAsOne, withRunningAsOne];
  for (const fold of folds) {
    const folded = fold(root);
    if (countLines(folded) <= lines) return folded;
  }
  const most = withRunningAsOne(root);
  return { ...most, below: most.below.slice(0, Math.max(0, lines - 1)) };
}

export function countLines({ below }: Item): number {
  return below.reduce((sum, item) => sum + countLines(item), 1);
}

/** What is over keeps its line, and what was below it is gone: its figures have it. */
function withoutBelowOver(item: Item): Item {
  return { ...item, below: item.below.map((one) => (one.isOver ? { ...one, below: [] } : withoutBelowOver(one))) };
}

/** Beside each other, all that went well become one line. */
function withOverAsOne(item: Item): Item {
  const isFolded = ({ isOver, hasFailed }: Item) => isOver && !hasFailed;
  const over = item.below.filter(isFolded);
  const rest = item.below.filter((one) => !isFolded(one)).map(withOverAsOne);
  const below = rest.map((one) => (one.isOver ? { ...one, below: [] } : one));
  return { ...item, below: over.length > 1 ? [asOne(over, 'done'), ...below] : [...over, ...below] };
}

/** Below the first level only the numbers are left, and there the first few lines. */
function withRunningAsOne(item: Item): Item {
  const folded = withOverAsOne(item);
  const below = folded.below.map((one) => {
    const hidden = countLines(one) - 1;
    return hidden === 0 ? one : { ...one, figures: [toFigure(`${hidden} below`, 5), ...one.figures], below: [] };
  });
  const shown = 5;
  return {
    ...item,
    below: below.length <= shown + 1 ? below : [...below.slice(0, shown), asOne(below.slice(shown), 'more')],
  };
}

/** Many items as one line. */
function asOne(items: readonly Item[], word: string): Item {
  const amount = items.map((item) => item.amount).reduce(sumOf);
  const isOver = items.every((item) => item.isOver);
  return {
    mark: isOver ? { text: '✓', colour: '32' } : { text: '●', colour: '36' },
    name: `${items.length} ${word}`,
    title: namesOf(items),
    figures: [
      ...(amount.tokens > 0 ? [toFigure(inTokens(amount.tokens), 2)] : []),
      ...(amount.costUsd > 0 ? [toFigure(inMoney(amount.costUsd), 2)] : []),
    ],
    below: [],
    isOver,
    hasFailed: items.some(({ hasFailed }) => hasFailed),
    amount,
  };
}

function toFigure(text: string, weight: number): Figure {
  return { piece: { text }, weight };
}

/** `researcher ×10, source`: instances of one agent are counted. */
function namesOf(items: readonly Item[]): string {
  const counts = new Map<string, number>();
  for (const { name } of items) {
    const agent = name.replace(/\[\d+\]$/, '');
    counts.set(agent, (counts.get(agent) ?? 0) + 1);
  }
  return [...counts].map(([agent, count]) => (count === 1 ? agent : `${agent} ×${count}`)).join(', ');
}
