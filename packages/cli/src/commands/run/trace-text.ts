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

/** Without these values: in a text, in JSON and in an address. Shorter values hide nothing. */
export function strikeAll(text: string, values: ReadonlySet<string>): string {
  const forms = [...values].flatMap((value) =>
    value.length < 8 ? [] : [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)],
  );
  return forms.sort((a, b) => b.length - a.length).reduce((struck, form) => struck.replaceAll(form, '***'), text);
}
