// Kinds of value that an option or a key of the configuration may have: what is allowed in words, and how it is read.

import type { ErrorCode } from '@ai-agent/core';
import type { Located } from '../located.ts';
import type { Place, Problems } from '../problem.ts';

export interface Kind<T = unknown> {
  /** What is allowed, as the end of "must be …". */
  readonly allowed: string;
  /** Undefined when it is wrong; then a problem was told. */
  read(given: Given): T | undefined;
}

/** A kind whose values stand alone. */
export interface Scalar<T = unknown> extends Kind<T> {
  /** Undefined for what is wrong. */
  parse(value: unknown): T | undefined;
}

/** A value, and where to complain about it. */
export interface Given {
  readonly at: Located;
  readonly place: Place;
  readonly problems: Problems;
}

export function complain({ problems, place }: Given, message: string, code: ErrorCode = 'key-invalid'): undefined {
  problems.error(code, place, message);
  return undefined;
}

/** Safe coercions are up to `parse`. */
export function scalar<T>(allowed: string, parse: (value: unknown) => T | undefined): Scalar<T> {
  return {
    allowed,
    parse,
    read(given) {
      const value = parse(given.at.value);
      return value === undefined ? wrong(given, allowed) : value;
    },
  };
}

export function wrong(given: Given, allowed: string): undefined {
  return complain(given, `found ${show(given.at.value)}; must be ${allowed}`);
}

/** How a value that was found is named in a message: short, and never a whole document. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}
