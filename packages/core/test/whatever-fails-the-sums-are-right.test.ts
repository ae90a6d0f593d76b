// Random trees, failures and interruptions. SEED and RUNS choose the worlds: see properties/property.ts.

import { test } from 'vitest';
import { sums } from './properties/judges.ts';
import { holds, patience } from './properties/property.ts';

test('every call is counted once: in usage, ledger, subtrees and endings', { timeout: patience }, () =>
  holds({}, 400, sums),
);
