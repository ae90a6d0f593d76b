// The kinds of value themselves, from plain text to durations.

import { type Kind, type Scalar, scalar, wrong } from './kind.ts';

/** Numbers and booleans are text too: `usage: 42`. */
export const text = scalar('text', (value) => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
});

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Scalar<number> {
  const allowed =
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`;
  return scalar(allowed, (value) => {
    const number = toNumber(value);
    return number !== undefined && Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  });
}

export function decimal(least: number, most = Number.MAX_VALUE): Scalar<number> {
  const allowed = most === Number.MAX_VALUE ? `a number from ${least}` : `a number from ${least} to ${most}`;
  return scalar(allowed, (value) => {
    const number = toNumber(value);
    return number !== undefined && number >= least && number <= most ? number : undefined;
  });
}

/** Also takes the words that mean "do not send it", which read as null. */
export function unsettable(kind: Scalar<number>): Scalar<number | null> {
  return scalar(`${kind.allowed}, or one of ${unsetWords.join(', ')} to send none`, (value) =>
    typeof value === 'string' && unsetWords.includes(value.trim().toLowerCase()) ? null : kind.parse(value),
  );
}

export const unsetWords: readonly string[] = ['none', 'off', 'unset', 'default', 'null'];

export const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  mo: 2_592_000_000,
  y: 31_536_000_000,
};

/** Milliseconds. */
export const duration = scalar('a time such as 90s, 2m or 1.5h (ms, s, m, h, d, w, mo, y), or milliseconds', toMs);

export function toMs(value: unknown): number | undefined {
  const number = toNumber(value);
  if (number !== undefined) return toTime(number);
  const [, amount, unit = ''] = (typeof value === 'string' && /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(value)) || [];
  const factor = Object.hasOwn(unitsMs, unit.toLowerCase()) ? unitsMs[unit.toLowerCase()] : undefined;
  return amount === undefined || factor === undefined ? undefined : toTime(Number(amount) * factor);
}

function toTime(ms: number): number | undefined {
  const rounded = Math.round(ms);
  return rounded >= 1 && rounded <= Number.MAX_SAFE_INTEGER ? rounded : undefined;
}

export const isTrue = scalar('true or false', (value) => {
  const word = toWord(value);
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  return ['false', '0', 'no', 'off'].includes(word) ? false : undefined;
});

export const textOrTrue = scalar('text, true or false', (value) => isTrue.parse(value) ?? text.parse(value));

export function choice<const T extends string>(...words: readonly T[]): Scalar<T> {
  return scalar(`one of ${words.join(', ')}`, (value) => {
    const word = toWord(value);
    return words.find((one) => one.toLowerCase() === word);
  });
}

/** Of a text, a number or a boolean; a list is none, whatever stands in it. */
export function toWord(value: unknown): string {
  return typeof value === 'object' ? '' : String(value).trim().toLowerCase();
}

/** A list, or a text with commas. */
export const names: Kind<readonly string[]> = {
  allowed: 'a list of names, or names with commas between them',
  read(given) {
    const { value, items } = given.at;
    if (typeof value === 'string') return toNames(value);
    if (!items || items.some((item) => typeof item.value !== 'string')) return wrong(given, this.allowed);
    return items.flatMap((item) => toNames(item.value as string));
  },
};

export function toNames(list: string): readonly string[] {
  return list
    .split(/,(?![^{}]*\})/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  return Number(value);
}
