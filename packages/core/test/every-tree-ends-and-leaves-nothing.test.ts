// Random trees, bounds, failures and interruptions. SEED and RUNS choose the worlds: see properties/property.ts.

import { test } from 'vitest';
import { endings } from './properties/judges.ts';
import { holds, patience } from './properties/property.ts';

test('whatever happens to it', { timeout: patience }, () => holds({}, 500, endings));
