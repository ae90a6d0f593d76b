// The arguments of a call for whoever is to allow it: as JSON, every key of it; values that are too long are cut, and it says so.

import { type Json, type JsonObject, withoutKeys } from '@ai-agent/core';
import { showHidden, wholeCharacters } from './safe-text.ts';

export interface ShownArguments {
  /** At most as long as was wanted. */
  readonly text: string;
  /** Something of them is not in it. */
  readonly isCut: boolean;
}

/** Values give way first, then what is many, then what is deep, and keys of the call itself when nothing else is left. At least 2,500. */
export function showArguments(args: JsonObject, most: number): ShownArguments {
  let shown: ArgumentsText | undefined;
  for (const measure of measures) {
    shown = new ArgumentsText(measure, most);
    shown.write(args, 0);
    if (!shown.isOver) break;
  }
  return { text: shown?.text ?? '', isCut: shown?.isCut ?? false };
}

/** How much is shown; what is not said is not bounded. */
interface Measure {
  /** Characters of a value. */
  readonly value?: number;
  /** Of a list or an object inside of the arguments. */
  readonly entries?: number;
  /** How far inside: at 1 there is nothing but the arguments themselves. */
  readonly depth?: number;
  /** Of the arguments themselves. */
  readonly keys?: number;
}

const measures: readonly Measure[] = [
  {},
  ...[2_400, 1_600, 1_200, 800, 600, 400, 300, 200, 100, 50, 25].map((value) => ({ value })),
  { value: 100, entries: 20 },
  { value: 100, entries: 8 },
  { value: 50, entries: 4 },
  { value: 50, entries: 4, depth: 3 },
  { value: 50, entries: 4, depth: 2 },
  { value: 50, depth: 1 },
  { value: 25, depth: 1 },
  ...[200, 150, 100, 60, 30, 15, 8, 4].map((keys) => ({ value: 25, depth: 1, keys })),
];

const mostOfKey = 60;

class ArgumentsText {
  text = '';
  isCut = false;
  readonly #measure: Measure;
  readonly #most: number;

  constructor(measure: Measure, most: number) {
    this.#measure = measure;
    this.#most = most;
  }

  get isOver(): boolean {
    return this.text.length > this.#most;
  }

  /** Stops soon after it is over: it is not used then. */
  write(value: Json, depth: number): void {
    if (typeof value === 'string') this.#writeText(value, this.#measure.value);
    else if (typeof value !== 'object' || value === null) this.text += JSON.stringify(value);
    else if (Array.isArray(value)) this.#writeAll(value, depth);
    else this.#writeAll(Object.keys(value), depth, value as JsonObject);
  }

  /** The count stands outside of the quotes: no value can pretend to be cut. */
  #writeText(written: string, most = Number.POSITIVE_INFINITY): void {
    // Half a key would not be known for one.
    const text = withoutKeys(written);
    const end = text.length <= most ? text.length : wholeCharacters(text, most);
    this.text += showHidden(JSON.stringify(text.slice(0, end)));
    if (end < text.length) this.#leaveOut(text.length - end, 'more character');
  }

  /** Items of a list, or the keys of an object. */
  #writeAll(entries: readonly Json[], depth: number, object?: JsonObject): void {
    const [open, close, kind] = object ? (['{', '}', 'key'] as const) : (['[', ']', 'item'] as const);
    if (entries.length === 0) this.text += open + close;
    else if (depth >= (this.#measure.depth ?? Number.POSITIVE_INFINITY)) {
      this.text += open;
      this.#leaveOut(entries.length, kind, ' not shown');
      this.text += close;
    } else {
      const most = (depth === 0 ? this.#measure.keys : this.#measure.entries) ?? entries.length;
      this.text += open;
      this.#writeLines(entries.slice(0, most), depth, object);
      if (entries.length > most) {
        this.text += `,${lineAt(depth + 1)}`;
        this.#leaveOut(entries.length - most, `more ${kind}`, ' not shown');
      }
      this.text += `${lineAt(depth)}${close}`;
    }
  }

  #writeLines(entries: readonly Json[], depth: number, object?: JsonObject): void {
    for (const [index, entry] of entries.entries()) {
      if (this.isOver) return;
      this.text += `${index === 0 ? '' : ','}${lineAt(depth + 1)}`;
      if (object) {
        this.#writeText(String(entry), mostOfKey);
        this.text += ': ';
      }
      this.write(object ? (object[String(entry)] as Json) : entry, depth + 1);
    }
  }

  #leaveOut(count: number, kind: string, how = ''): void {
    this.isCut = true;
    this.text += `… (${count.toLocaleString('en-US')} ${kind}${count === 1 ? '' : 's'}${how})`;
  }
}

function lineAt(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
