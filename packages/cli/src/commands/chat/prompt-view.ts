// What is typed as it stands on the screen: drawn with every key, over what was drawn before.

import { cut, paint, widthOf } from '../../render/piece.ts';
import { type Screen, sizeOf } from '../../render/screen.ts';
import type { EditedText } from './edited-text.ts';
import { layOut, type Row } from './lay-out.ts';

const control = '\u001b[';
const [hideCursor, showCursor] = [`${control}?25l`, `${control}?25h`];
/** A terminal that knows these shows what is between them at once. */
const [together, apart] = [`${control}?2026h`, `${control}?2026l`];
/** What is between them is not wrapped, also where a terminal takes a letter for wider than we do. */
const [unwrapped, wrapped] = [`${control}?7l`, `${control}?7h`];

export interface PromptStyle {
  readonly label: string;
  readonly isColoured: boolean;
}

interface Drawn {
  /** How wide each row is. */
  readonly widths: readonly number[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

export class PromptView {
  readonly #screen: Screen;
  readonly #style: PromptStyle;
  #drawn: Drawn | undefined;

  constructor(screen: Screen, style: PromptStyle) {
    this.#screen = screen;
    this.#style = style;
  }

  /** With a line below it, while there is something to say there. */
  draw({ text, cursor }: Pick<EditedText, 'text' | 'cursor'>, hint = ''): void {
    const { columns, rows: height } = sizeOf(this.#screen);
    const width = Math.max(4, columns - 1);
    const { rows, ...place } = layOut({ label: this.#style.label, text, cursor, width });
    // What scrolls out at the top cannot be drawn over: of a longer text what is around the cursor is shown.
    const most = Math.max(1, height - (hint === '' ? 1 : 2));
    const from = Math.max(0, Math.min(place.cursorRow - Math.floor(most / 2), rows.length - most));
    const seen = rows.slice(from, from + most);
    const cursorRow = place.cursorRow - from;
    const lines = seen.map((row) => this.#paint(row, width));
    const below = hint === '' ? [] : [paint([{ text: cut(hint, width), colour: '2' }], { ...this.#style, width })];
    const all = [...lines, ...below];
    const up = all.length - 1 - cursorRow;
    this.#screen.write(
      `${together}${hideCursor}${this.#back()}${unwrapped}${all.map((line) => `${line}${control}K`).join('\r\n')}${control}J${wrapped}` +
        `${up > 0 ? `${control}${up}A` : ''}\r${place.cursorColumn > 0 ? `${control}${place.cursorColumn}C` : ''}${showCursor}${apart}`,
    );
    const widths = seen.map((row) => widthOf(row.lead) + widthOf(row.text));
    this.#drawn = { widths, cursorRow, cursorColumn: place.cursorColumn };
  }

  /** Takes it off the screen. */
  clear(): void {
    this.#screen.write(`${this.#back()}${control}J`);
    this.#drawn = undefined;
  }

  /** Leaves it standing, and goes on below it. */
  leave(text: string): void {
    this.draw({ text, cursor: text.length });
    this.#screen.write('\r\n');
    this.#drawn = undefined;
  }

  /** To where it began: in a window that got narrower its rows have been broken. */
  #back(): string {
    if (!this.#drawn) return '\r';
    const { columns } = sizeOf(this.#screen);
    const { widths, cursorRow, cursorColumn } = this.#drawn;
    const above = widths.slice(0, cursorRow).reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    const rows = above + Math.floor(cursorColumn / columns);
    return `${rows > 0 ? `${control}${rows}A` : ''}\r`;
  }

  #paint({ lead, text }: Row, width: number): string {
    return paint([{ text: lead, colour: '36' }, { text }], { ...this.#style, width });
  }
}
