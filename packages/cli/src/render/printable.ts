// Text of a model as it may be printed: its line breaks stay, its control sequences do not reach the terminal.

import { stripVTControlCharacters } from 'node:util';

export function toPrintable(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(turning, '');
}

/** Marks that turn the direction of writing: what is read would not be what is there. */
const turning = /[\u202A-\u202E\u2066-\u2069]/g;

/** No sequence that means anything is longer: what goes on and on is not waited for. */
const longestSequence = 4_096;

/** The same for text that comes in pieces: the beginning of a sequence waits for its end. */
export class PrintableStream {
  #held = '';

  push(text: string): string {
    const all = this.#held + text;
    const from = openSequence(all);
    this.#held = all.slice(from);
    return toPrintable(all.slice(0, from));
  }

  end(): string {
    const rest = toPrintable(this.#held);
    this.#held = '';
    return rest;
  }
}

/** Where a sequence begins that may not have ended; the end of the text when there is none. */
function openSequence(text: string): number {
  const start = Math.max(...introducers.map((letter) => text.lastIndexOf(letter)));
  const isLong = text.length - start > longestSequence;
  if (start >= 0 && !isLong && !isWhole(text.slice(start))) return start;
  return text.endsWith('\r') ? text.length - 1 : text.length;
}

const escapeLetter = '\u001b';
const introducers = [escapeLetter, '\u0090', '\u0098', '\u009b', '\u009d', '\u009e', '\u009f'];
const terminators = ['\u0007', '\u009c', `${escapeLetter}\\`];

function isWhole(sequence: string): boolean {
  // The other introducers are an escape and a letter in one.
  const body = sequence.startsWith(escapeLetter)
    ? sequence.slice(1)
    : String.fromCharCode(sequence.charCodeAt(0) - 0x40) + sequence.slice(1);
  // Titles, links and the like have an end of their own; a colour or a movement ends with a letter.
  if (/^[\]PX^_]/.test(body)) return terminators.some((end) => body.includes(end));
  return body.startsWith('[') ? /^\[[0-?]*[ -/]*[@-~]/.test(body) : /^[ -/]*[0-~]/.test(body);
}
