// Text of a model as it may be printed: its line breaks stay, its control sequences do not reach the terminal.

import { stripVTControlCharacters } from 'node:util';

export function toPrintable(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '');
}
