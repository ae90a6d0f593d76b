// Words that go on from one text into the next: each text may be harmless, and all of them together an address.

import { asReadBetween, compareHost, endSentences, type Look, lookAt, scriptBorder } from './addresses.ts';

/** A word as one of its texts sees it. */
export interface Crossing {
  readonly whole: Look;
  /** From where this text begins: what stands before it may be a word of its own for who reads. */
  readonly end: Look;
}

/** For each text the words that cross its borders. */
export function findCrossings(texts: readonly string[]): readonly (readonly Crossing[])[] {
  const read = texts.map(asReadBetween);
  const joined = endSentences(read.join(''));
  const found = texts.map((): Crossing[] => []);
  let length = 0;
  const starts = read.map((text) => {
    length += text.length;
    return length - text.length;
  });
  const endOf = (index: number) => starts[index + 1] ?? length;
  let first = 0;
  for (const { from, to } of toWords(joined)) {
    while (endOf(first) <= from) first++;
    if (to <= endOf(first)) continue;
    const whole = lookAt(fromScheme(joined.slice(from, to)));
    for (let i = first; i < texts.length && (starts[i] ?? to) < to; i++) {
      const begin = Math.max(from, starts[i] ?? 0);
      found[i]?.push({ whole, end: lookAt(joined.slice(begin, Math.min(to, begin + longestHost))) });
    }
  }
  return found;
}

/** Whether what is read across the borders of a text names no other host. */
export function isPlainAcross(crossings: readonly Crossing[], real: string): boolean {
  return crossings.every(({ whole, end }) => {
    const named = compareHost(whole, real);
    return named === 'same' || (named === 'none' && compareHost(end, real) !== 'other');
  });
}

/** No name of a host is longer. */
const longestHost = 300;

interface Word {
  readonly from: number;
  readonly to: number;
}

/** What consists of signs that addresses have, from its first letter to its last. A colon is one before a port, and in a scheme. */
const run = /[\p{L}\p{N}](?:(?:[\p{L}\p{M}\p{N}./@_%?#=&~+-]|:(?=\/\/|\d))*[\p{L}\p{M}\p{N}])?/gu;

function* toWords(text: string): Iterable<Word> {
  for (const { 0: signs, index } of text.matchAll(run)) {
    let from = index;
    for (const word of signs.split(scriptBorder)) {
      yield { from, to: from + word.length };
      from += word.length;
    }
  }
}

/** Where an address is written out, it begins there. */
function fromScheme(word: string): string {
  const at = word.search(/(?:https?|ftp):\/\//);
  return at === -1 ? word : word.slice(at);
}
