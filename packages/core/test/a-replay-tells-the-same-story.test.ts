// Random trees that nobody interrupts, recorded and walked again. SEED and RUNS choose the worlds: see properties/property.ts.

import { test } from 'vitest';
import { replays } from './properties/judges.ts';
import { holds, patience } from './properties/property.ts';

test('fact by fact in every session, and nothing is done twice', { timeout: patience }, () =>
  holds({ isUndisturbed: true }, 250, replays),
);
