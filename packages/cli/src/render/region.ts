// The part of a terminal below everything that stays: drawn over and over, and gone when it is cleared.

import { stripVTControlCharacters } from 'node:util';
import { widthOf } from './piece.ts';
import { type Screen, sizeOf } from './screen.ts';

const control = '\u001b[';
const hideCursor = `${control}?25l`;
const showCursor = `${control}?25h`;
const [emptied, restEmptied] = [`${control}2K`, `${control}K`];
/** A terminal that knows these shows what is between them at once. */
const [together, apart] = [`${control}?2026h`, `${control}?2026l`];
/** What is between them is not wrapped: a line stays one line, also where a terminal takes a letter for wider than we do. */
const [unwrapped, wrapped] = [`${control}?7l`, `${control}?7h`];

export class Region {
  readonly #screen: Screen;
  #lines: readonly string[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Columns of a line that never breaks: in the last one some terminals go on to the next. */
  get width(): number {
    return Math.max(1, sizeOf(this.#screen).columns - 1);
  }

  /** Lines that can be drawn over: what scrolls out at the top cannot, and the cursor needs one. */
  get height(): number {
    return Math.max(1, sizeOf(this.#screen).rows - 1);
  }

  /** Draws it, and writes above it what stays, whole: an address that was cut leads nowhere. */
  draw(lines: readonly string[], above: readonly string[] = []): void {
    const isSame = lines.length === this.#lines.length && lines.every((line, i) => line === this.#lines[i]);
    if (isSame && above.length === 0) return;
    this.#screen.write(`${together}${hideCursor}${this.#over(above, lines)}${apart}`);
    this.#lines = lines;
  }

  /** Writes above it what stays; it must be drawn again. */
  leave(lines: readonly string[]): void {
    this.#screen.write(`${together}${this.#over(lines)}${showCursor}${apart}`);
    this.#lines = [];
  }

  /** Leaves the cursor to be seen, whatever is drawn. */
  release(): void {
    this.#screen.write(showCursor);
  }

  clear(): void {
    if (this.#lines.length > 0) this.leave([]);
  }

  /**
   * Line by line over what was drawn, then away with the rest. Never all at once from the top: some terminals take a screen
   * that is cleared for one that should be kept, and would keep every drawing.
   */
  #over(staying: readonly string[], lines: readonly string[] = []): string {
    const rows = this.#rows();
    const back = rows === 0 ? '' : `${control}${rows}A\r`;
    const count = staying.length + lines.length;
    if (count === 0) return rows === 0 ? '' : `${back}${`${emptied}\n`.repeat(rows)}${back}`;
    const above = staying.map((line) => `${line}${this.#isFull(line) ? '' : restEmptied}\n`).join('');
    const drawn = lines.map((line) => `${line}${restEmptied}\n`).join('');
    return `${back}${above}${unwrapped}${drawn}${wrapped}${rows > count ? `${control}J` : ''}`;
  }

  /** Whether it ends in the last column: the cursor stands on its last letter then, and emptying the rest takes that away. */
  #isFull(line: string): boolean {
    const width = widthOf(stripVTControlCharacters(line));
    return width > 0 && width % sizeOf(this.#screen).columns === 0;
  }

  /** Of what is drawn: a window that got narrower has broken its lines. */
  #rows(): number {
    const { columns } = sizeOf(this.#screen);
    const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns));
    return Math.min(
      this.#lines.reduce((sum, line) => sum + rowsOf(line), 0),
      this.height,
    );
  }
}
