// What a terminal shows, letter by letter: the text and how it looks.

import type { OpenTerminal } from '../../packages/cli/test/support/terminal.ts';

export interface Cell {
  readonly text: string;
  readonly colour: Colour;
  readonly isBold: boolean;
}

export type Colour = 'plain' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const byNumber: Readonly<Record<number, Colour>> = { 1: 'red', 2: 'green', 3: 'yellow', 6: 'cyan' };

/** All lines, also those that scrolled away, without the empty ones at the end. */
export function toCells({ buffer: { active } }: OpenTerminal['emulator']): readonly (readonly Cell[])[] {
  const lines = Array.from({ length: active.length }, (_, y) => {
    const line = active.getLine(y);
    return Array.from({ length: line?.length ?? 0 }, (_, x): Cell => {
      const cell = line?.getCell(x);
      const colour = cell?.isDim() ? 'dim' : cell?.isFgDefault() ? 'plain' : byNumber[cell?.getFgColor() ?? -1];
      return { text: cell?.getChars() || ' ', colour: colour ?? 'plain', isBold: Boolean(cell?.isBold()) };
    });
  });
  while (lines.at(-1)?.every(({ text }) => text === ' ')) lines.pop();
  return lines;
}

export function textOf(line: readonly Cell[]): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}
