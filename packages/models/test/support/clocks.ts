// Time for sessions over real connections: as it passes, or at once where only the waiting is looked at.

import type { Clock } from '@ai-agent/core';

export const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(durationMs, wake) {
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};

/** Nobody waits: pauses are noted, and over at once. What is longer than any pause is a limit, which is never reached. */
export function hastyClock(): Clock & { readonly pauses: readonly number[] } {
  const pauses: number[] = [];
  let now = 1_700_000_000_000;
  return {
    pauses,
    now: () => now,
    monotonicMs: () => now,
    after(durationMs, wake) {
      if (durationMs > 120_000) return () => {};
      const timer = setImmediate(() => {
        pauses.push(durationMs);
        now += durationMs;
        wake();
      });
      return () => clearImmediate(timer);
    },
  };
}
