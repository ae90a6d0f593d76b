// What is wrong, or without effect, in a piece of `.ai-agent.json`: as data, for whoever checks files.

import type { ErrorCode } from '@ai-agent/core';

export interface ConfigProblem {
  /** Nothing can be opened with an error in it; with a warning, it works without the key. */
  readonly severity: 'error' | 'warning';
  /** The keys that lead to it, from the piece that was described. */
  readonly path: readonly string[];
  /** A sentence. Never has the value in it: it may be a secret. */
  readonly message: string;
  readonly code: Extract<ErrorCode, 'key-unknown' | 'key-invalid' | 'key-idle'>;
}

/** What a key may hold. */
export interface KeyRule {
  /** Goes on after "is not". */
  readonly allowed: string;
  readonly fits: (value: unknown) => boolean;
  /** Why nothing comes of such a value; undefined when it has. @default it has */
  readonly idle?: (value: unknown) => string | undefined;
}

export const text: KeyRule = { allowed: 'a text', fits: (value) => typeof value === 'string' };
export const trueOrFalse: KeyRule = { allowed: 'true or false', fits: (value) => typeof value === 'boolean' };
export const wholeFromOne: KeyRule = {
  allowed: 'a whole number from 1',
  fits: (value) => Number.isInteger(value) && (value as number) >= 1,
};
export const wholeFromZero: KeyRule = {
  allowed: 'a whole number from 0',
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
};
export const aboveZero: KeyRule = {
  allowed: 'a number above 0',
  fits: (value) => Number.isFinite(value) && (value as number) > 0,
};
export const finite: KeyRule = { allowed: 'a number', fits: (value) => Number.isFinite(value) };

export function oneOf(...words: readonly string[]): KeyRule {
  return { allowed: words.join(' or '), fits: (value) => words.includes(value as string) };
}

/** Null is as good as left out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
