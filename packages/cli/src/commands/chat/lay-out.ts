// A text with its label on rows of a screen, and where the cursor stands there.

import { cut, widthOf } from '../../render/piece.ts';
import { lettersOf } from './edited-text.ts';

export interface ToLayOut {
  /** Before its first line. */
  readonly label: string;
  readonly text: string;
  readonly cursor: number;
  /** Columns that may be used. */
  readonly width: number;
}

export interface Row {
  /** What stands before its text. */
  readonly lead: string;
  readonly text: string;
}

export interface LaidOut {
  readonly rows: readonly Row[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

/** Where the window is narrow the text is worth more than whose it is. */
const narrow = 30;

export function layOut({ label, text, cursor, width }: ToLayOut): LaidOut {
  const lead = width < narrow ? '> ' : cut(label, Math.floor(width / 2));
  const leadWidth = widthOf(lead);
  const room = Math.max(2, width - leadWidth);
  const rows: Row[] = [];
  let [at, cursorRow, cursorColumn] = [0, 0, leadWidth];
  for (const line of text.split('\n')) {
    const first = rows.length;
    for (const piece of toPieces(line, room)) {
      rows.push({ lead: rows.length === 0 ? lead : leadBelow(leadWidth, rows.length === first), text: shown(piece) });
      const isHere = cursor >= at && cursor <= at + piece.length;
      if (isHere) {
        cursorRow = rows.length - 1;
        cursorColumn = leadWidth + widthOf(shown(piece.slice(0, cursor - at)));
      }
      at += piece.length;
    }
    at++;
  }
  // Behind a letter in the last column there is no room for it.
  return { rows, cursorRow, cursorColumn: Math.min(cursorColumn, width) };
}

/** A line of its own has a sign; what goes on from the row above has none. */
function leadBelow(width: number, isOwn: boolean): string {
  return (isOwn ? '… ' : '').padStart(width);
}

/** A line in rows of so many columns; an empty one has one too. */
function toPieces(line: string, room: number): readonly string[] {
  const pieces: string[] = [];
  let [piece, width] = ['', 0];
  for (const letter of lettersOf(line)) {
    const own = widthOf(shown(letter));
    if (width + own > room) {
      pieces.push(piece);
      [piece, width] = ['', 0];
    }
    piece += letter;
    width += own;
  }
  return [...pieces, piece];
}

/** A tab is as wide as the terminal likes: here it is one blank. */
function shown(text: string): string {
  return text.replaceAll('\t', ' ');
}
