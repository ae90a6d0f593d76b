// Texts of traces: bounded, without control sequences, behind a line that no text can forge.

import { toPrintable } from '../../render/printable.ts';

/** Of one text. */
export const mostCharacters = 4_000;

/** A title, and the text below it; what is cut is said. `length` is that of the whole, where only its head is at hand. */
export function toGutter(title: string, text: string, length = text.length): string {
  return `  ${toPrintable(title).replace(/\s+/g, ' ')}\n${toBody(text, length)}`;
}

/** The text alone. */
export function toBody(text: string, length = text.length): string {
  const shown = toPrintable(text.slice(0, mostCharacters));
  const left = length - mostCharacters;
  const lines = [...shown.split('\n'), ...(left > 0 ? [`(${left} more characters)`] : [])];
  return lines.map((line) => `    │ ${line}\n`).join('');
}
