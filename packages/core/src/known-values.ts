// Values that must not be shown, in every form in which they may turn up, and where they do.

import { catalogue } from './errors.ts';
import { type Striker, struck } from './strike.ts';
import type { Search, Span } from './struck-stream.ts';

/** Shorter values hide nothing, and would strike out half of every sentence. */
export const shortestValue = 8;

export class KnownValues implements Striker, Search {
  /** Longest first. */
  #forms: readonly string[] = [];
  /** Any of them. */
  #pattern: RegExp | undefined;
  /** Names that happen to have a value in them. */
  #spared: Set<string> | undefined;

  get isEmpty(): boolean {
    return this.#forms.length === 0;
  }

  add(value: string): void {
    const secret = value.trim();
    // Ours are the words that a run is made of: whoever has one of them for a secret has none.
    if (secret.length < shortestValue || this.#forms.includes(secret) || ownWords.includes(secret)) return;
    const added = isPlainWord.test(secret) ? [secret] : formsOf(secret).filter((form) => !this.#forms.includes(form));
    this.#forms = [...this.#forms, ...added].sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(this.#forms.map(toPattern).join('|'), 'g');
    if (added.length === 1) return;
    // What follows the scheme of a header is the secret itself.
    const bare = /^(?:Bearer|Basic|Token)\s+(\S.*)$/is.exec(secret)?.[1];
    if (bare) this.add(bare);
  }

  spare(name: string): void {
    if (!this.finds(name)) return;
    this.#spared ??= new Set();
    this.#spared.add(name);
  }

  finds(text: string): boolean {
    if (text.length < shortestValue) return false;
    for (const form of this.#forms) if (text.includes(form)) return this.#spared?.has(text) !== true;
    return false;
  }

  strike(text: string): string {
    return !this.#pattern || this.#spared?.has(text) ? text : text.replace(this.#pattern, struck);
  }

  /** Of those that begin at the same place the longest. */
  next(text: string, from: number): Span | undefined {
    if (!this.#pattern) return undefined;
    this.#pattern.lastIndex = from;
    const found = this.#pattern.exec(text);
    return found ? { start: found.index, end: found.index + found[0].length } : undefined;
  }

  open(text: string, from: number): number {
    let first = text.length;
    for (const form of this.#forms) {
      const begin = form.charAt(0);
      let at = text.indexOf(begin, Math.max(from, text.length - form.length + 1));
      while (at >= 0 && at < first && !form.startsWith(text.slice(at))) at = text.indexOf(begin, at + 1);
      if (at >= 0 && at < first) first = at;
    }
    return first;
  }

  isPlain(text: string): boolean {
    // Nearly all texts lack even the first character.
    for (const form of this.#forms)
      if (text.includes(form.charAt(0))) return this.open(text, 0) === text.length && !this.next(text, 0);
    return true;
  }
}

function toPattern(form: string): string {
  return form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Has one form alone. */
const isPlainWord = /^[\w.~-]*$/;

/** As it is, as it stands in JSON, in JSON within JSON, and in an address. */
function formsOf(secret: string): readonly string[] {
  const json = inJson(secret);
  return [...new Set([secret, json, inJson(json), inAddress(secret)])];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

const ownWords = [
  ...Object.entries(catalogue).flatMap(([code, { class: its }]) => [code, its]),
  'assistant reasoning tool-call tool-result tool-calls content-filter completed partial cancelled needs_user_input needs_client_tools',
  'question approval finishReason inputTokens outputTokens markdown session-start session-end',
].join(' ');
