// Random budgets at every level of random trees. SEED and RUNS choose the worlds: see properties/property.ts.

import { test } from 'vitest';
import { honestSpending, spending } from './properties/judges.ts';
import { holds, patience } from './properties/property.ts';

test('to the last token, where no model uses more than was reserved', { timeout: patience }, () =>
  holds({ isTight: true, isHonest: true }, 400, honestSpending),
);

test('but for what the calls under way use beyond their reservation', { timeout: patience }, () =>
  holds({ isTight: true }, 400, spending),
);
