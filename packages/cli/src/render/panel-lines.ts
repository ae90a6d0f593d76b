// Items as lines: branches, name and title on the left, figures on the right, cut to the window.

import type { Figure, Item } from './panel-item.ts';
import { cut, type Paint, type Piece, paint, widthOf } from './piece.ts';

export function toLines(root: Item, style: Paint): readonly string[] {
  return rowsOf(root, { here: '', below: '' }, style);
}

interface Branch {
  readonly here: string;
  readonly below: string;
}

function rowsOf(item: Item, branch: Branch, style: Paint): readonly string[] {
  const last = item.below.length - 1;
  return [
    paint(lineOf(item, branch.here, style.width), style),
    ...item.below.flatMap((one, i) => rowsOf(one, grow(branch, i === last), style)),
  ];
}

function grow({ below }: Branch, isLast: boolean): Branch {
  return isLast ? { here: `${below}└─ `, below: `${below}   ` } : { here: `${below}├─ `, below: `${below}│  ` };
}

/** A title with less room than this says nothing. */
const leastTitle = 8;
/** A figure of this weight gives way to the title. */
const leastWeight = 1;
const separator = ' · ';

function lineOf({ mark, name, title, figures, ...item }: Item, branch: string, width: number): readonly Piece[] {
  // A name says more than what it is.
  const role = widthOf(`${branch}${mark.text} ${item.role}${name}`) <= width ? item.role : '';
  const left = widthOf(`${branch}${mark.text} ${role}${name}`);
  const forTitle = title === '' ? 0 : Math.min(leastTitle, widthOf(title)) + 2;
  const isTight = widthOfAll(figures) > width - left - 2 - forTitle;
  const shown = fitting(isTight ? figures.filter(({ weight }) => weight > leastWeight) : figures, width - left - 2);
  const right = widthOfAll(shown);
  const room = width - left - right - (right > 0 ? 2 : 0);
  const seen = room - 2 >= Math.min(leastTitle, widthOf(title)) ? cut(title, room - 2) : '';
  const gap = room - (seen === '' ? 0 : widthOf(seen) + 2) + (right > 0 ? 2 : 0);
  return [
    { text: branch, colour: '2' },
    mark,
    { text: ` ${role}` },
    { text: name, colour: '1' },
    ...(seen === '' ? [] : [{ text: `  ${seen}` }]),
    ...(right > 0 ? [{ text: ' '.repeat(Math.max(1, gap)) }, ...joined(shown)] : []),
  ];
}

/** The figures for which there is room, the most important ones first. */
function fitting(figures: readonly Figure[], room: number): readonly Figure[] {
  let kept = figures;
  while (kept.length > 0 && widthOfAll(kept) > room) {
    const least = Math.min(...kept.map(({ weight }) => weight));
    const at = kept.findLastIndex(({ weight }) => weight === least);
    kept = kept.filter((_, i) => i !== at);
  }
  return kept;
}

function widthOfAll(figures: readonly Figure[]): number {
  return widthOf(figures.map(({ piece }) => piece.text).join(separator));
}

function joined(figures: readonly Figure[]): readonly Piece[] {
  return figures.flatMap(({ piece }, i) => [
    ...(i === 0 ? [] : [{ text: separator, colour: '2' as const }]),
    piece.colour ? piece : { ...piece, colour: '2' as const },
  ]);
}
