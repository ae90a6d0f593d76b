// A pattern of a client that may take for ever: everybody would wait for it. It is tried, for a moment, on what would make it slow.

import { withinTime } from './within-time.ts';

/** Of all tries of one pattern. Those that end do so in a small part of it, also on a machine that is busy. */
const mostMs = 100;
/** Long enough that a step for each three letters takes too long; a step for each two does not. */
const length = 500;
const mostLetters = 12;

/** Whether it takes longer than anything that is good for something. What is no pattern at all is not costly. */
export function isCostly(pattern: string): boolean {
  if (!/[*+{]/.test(pattern)) return false;
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern, 'u');
  } catch {
    return false;
  }
  const texts = attacksOn(pattern);
  // Twice: a process that got no time for a moment is no pattern that takes long.
  return !endsInTime(compiled, texts) && !endsInTime(compiled, texts);
}

function endsInTime(pattern: RegExp, texts: readonly string[]): boolean {
  try {
    withinTime(mostMs, () => {
      for (const text of texts) pattern.test(text);
    });
    return true;
  } catch {
    return false;
  }
}

/** The same again and again, behind what may have to be there first, and before what never fits. */
function attacksOn(pattern: string): readonly string[] {
  const letters = lettersOf(pattern);
  const [literal = ''] = /^\^?([\w @:/-]*)/.exec(pattern)?.slice(1) ?? [];
  const before = [...new Set(['', literal, ...letters])];
  const pairs = letters.flatMap((one, i) => letters.slice(i + 1).map((other) => one + other));
  const repeated = [...letters, letters.join('')].flatMap((one) => before.map((first) => first + again(one)));
  return [...repeated, ...pairs.map(again)].map((text) => `${text}\u0000`);
}

function again(text: string): string {
  return text.repeat(Math.ceil(length / Math.max(1, text.length)));
}

/** One of each kind that stands in it. */
function lettersOf(pattern: string): readonly string[] {
  const kinds = { '\\d': '0', '\\w': 'a', '\\s': ' ', '.': 'a', '[^': '~' };
  const named = Object.entries(kinds).flatMap(([kind, letter]) => (pattern.includes(kind) ? [letter] : []));
  const own = pattern.replace(/\\[dwsbDWSB]|\\p\{\w+\}|[\^$()[\]{}|*+?\\]/g, '');
  return [...new Set([...named, 'a', ...own])].slice(0, mostLetters);
}
