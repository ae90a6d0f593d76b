// Work that is done at once where that can be, and later where somebody takes time.

import { takesTime } from '@ai-agent/core';

export type Soon<T> = T | Promise<T>;

export function andThen<T, U>(given: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return takesTime(given) ? Promise.resolve(given).then(next) : next(given);
}

/** What is thrown and what rejects are the same. */
export function attempt<T>(work: () => Soon<T>, failed: (error: unknown) => T): Soon<T> {
  try {
    const doing = work();
    return takesTime(doing) ? Promise.resolve(doing).catch(failed) : doing;
  } catch (error) {
    return failed(error);
  }
}

/** One after the other. */
export function inTurn(steps: readonly (() => Soon<void>)[]): Soon<void> {
  const [first, ...rest] = steps;
  if (first) return andThen(first(), () => inTurn(rest));
}
