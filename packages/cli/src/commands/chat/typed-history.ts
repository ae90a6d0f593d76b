// What was typed before, in this talk and in earlier ones with the same agent: up and down through it, and the file that keeps it.

import { appendFile, chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withoutKeys } from '@ai-agent/core';
import { makeFolder } from '../make-folder.ts';

const mostEntries = 500;
/** What is longer was pasted, and is not typed again. */
const longestEntry = 4_000;

export class TypedHistory {
  readonly #file: string | undefined;
  #entries: readonly string[];
  /** Where one is in it; its length stands for what is being typed. */
  #at: number;
  #unsent = '';
  #written: Promise<void> = Promise.resolve();

  /** Without a file it is forgotten with the talk. What cannot be read is forgotten too. */
  static async open(file?: string): Promise<TypedHistory> {
    const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
    const entries = text.split('\n').flatMap(toEntry);
    const history = new TypedHistory(file, entries.slice(-mostEntries));
    if (file !== undefined && entries.length > 2 * mostEntries) history.#rewrite(file);
    return history;
  }

  private constructor(file: string | undefined, entries: readonly string[]) {
    this.#file = file;
    this.#entries = entries;
    this.#at = entries.length;
  }

  /** The same twice in a row is kept once. */
  add(text: string): void {
    this.#unsent = '';
    if (text.trim() !== '' && text !== this.#entries.at(-1)) {
      this.#entries = [...this.#entries, text].slice(-mostEntries);
      this.#keep(text);
    }
    this.#at = this.#entries.length;
  }

  /** Undefined when there is none. */
  older(current: string): string | undefined {
    if (this.#at === 0) return undefined;
    if (this.#at === this.#entries.length) this.#unsent = current;
    this.#at--;
    return this.#entries[this.#at];
  }

  newer(): string | undefined {
    if (this.#at === this.#entries.length) return undefined;
    this.#at++;
    return this.#at === this.#entries.length ? this.#unsent : this.#entries[this.#at];
  }

  /** When the file has everything, or cannot be written. */
  whenWritten(): Promise<void> {
    return this.#written;
  }

  /** A talk needs no history: what cannot be kept is not, and nobody is told. */
  #keep(text: string): void {
    const file = this.#file;
    if (file === undefined || text.length > longestEntry) return;
    this.#written = this.#written
      .then(async () => {
        // The first to write there may well be this one, before the store.
        makeFolder(dirname(file), 0o700);
        await appendFile(file, toLine(text), { mode: 0o600 });
      })
      .catch(() => {});
  }

  /** Beside it first, so that nobody reads half of it. */
  #rewrite(file: string): void {
    const beside = `${file}.${process.pid}`;
    const text = this.#entries.map(toLine).join('');
    this.#written = writeFile(beside, text, { mode: 0o600 })
      .then(() => chmod(beside, 0o600))
      .then(() => rename(beside, file))
      .catch(() => {});
  }
}

function toLine(text: string): string {
  return `${JSON.stringify(withoutKeys(text))}\n`;
}

function toEntry(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? [entry] : [];
  } catch {
    return [];
  }
}
