// Where tests run, as the package is told of it.

import type { Surroundings } from '../../src/surroundings.ts';

export function surroundings(more: Partial<Surroundings> = {}): Surroundings {
  return {
    clock: {
      now: () => Date.now(),
      after: (durationMs, wake) => {
        const timer = setTimeout(wake, durationMs);
        return () => clearTimeout(timer);
      },
    },
    cwd: process.cwd(),
    serverEnv: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
    version: '0.0.0',
    ...more,
  };
}
