// Random trees that nobody interrupts, recorded and walked again. SEED and RUNS choose the worlds: see properties/property.ts.

import { test } from 'vitest';
import { replays, takesUp } from './properties/judges.ts';
import { holds, patience } from './properties/property.ts';

test('fact by fact in every session, and nothing is done twice', { timeout: patience }, () =>
  holds({ isUndisturbed: true, isTight: true }, 350, replays),
);

test('and a run that was cut off anywhere is taken up there, to the same rules', { timeout: patience }, () =>
  holds({ isUndisturbed: true, isTight: true }, 200, takesUp),
);
