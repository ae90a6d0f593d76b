// Numbers for one property: those that were said first, then the plainest ones within its bounds.

import type { JsonSchema } from '@ai-agent/core';

/** Proposals, best first; whoever asks checks them. */
export function* numbersFor(schema: JsonSchema, isWhole: boolean, said: readonly number[]): Generator<number> {
  const bounds = boundsOf(schema, isWhole);
  for (const number of [...said, 1, 0, ...steps(bounds)]) if (!isWhole || Number.isInteger(number)) yield number;
  if (!isWhole) yield* fractions(bounds);
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly step: number;
}

function steps({ low, high, step }: Bounds): readonly number[] {
  const start = Number.isFinite(low) ? Math.ceil(low / step) : Number.isFinite(high) ? Math.floor(high / step) - 40 : 0;
  return Array.from({ length: 81 }, (_, n) => tidy((start + n) * step));
}

/** For what lies between the steps. */
function fractions({ low, high }: Bounds): readonly number[] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0.5, low + 0.5, high - 0.5].filter(Number.isFinite);
  return Array.from({ length: 19 }, (_, n) => low + ((high - low) * (n + 1)) / 20);
}

/** `4 days` or `days: 4`, for a property of that name. */
export function numbersBeside(name: string, text: string): readonly number[] {
  const word = /^[A-Za-z]{3,}/.exec(name)?.[0].replace(/s$/, '');
  if (word === undefined) return [];
  const beside = new RegExp(`(\\d+(?:\\.\\d+)?)[ -]?${word}|\\b${word}s?(?: of|:| is)? (\\d+(?:\\.\\d+)?)`, 'gi');
  return [...text.matchAll(beside)].map(([, before, after]) => Number(before ?? after));
}

function boundsOf(schema: JsonSchema, isWhole: boolean): Bounds {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const low = Math.max(...[minimum, exclusiveMinimum].map((bound) => toNumber(bound, Number.NEGATIVE_INFINITY)));
  const high = Math.min(...[maximum, exclusiveMaximum].map((bound) => toNumber(bound, Number.POSITIVE_INFINITY)));
  const step = toNumber(multipleOf, 1);
  return { low, high, step: isWhole && !Number.isInteger(step) ? wholeStep(step) : step };
}

/** The least whole multiple of a fraction, as far as it is worth looking. */
function wholeStep(step: number): number {
  for (let n = 1; n <= 1000; n++) if (Number.isInteger(tidy(step * n))) return tidy(step * n);
  return step;
}

/** 3 * 0.1 is 0.30000000000000004, and nobody means that. */
function tidy(number: number): number {
  return Number(number.toPrecision(15));
}

function toNumber(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
