// The clock of this machine, for a house that looks often for what is left, instead of every ten seconds.

import type { Clock } from '@ai-agent/core';
import { systemClock } from '../../../cli/src/platform.ts';

export const lookOften: Clock = {
  ...systemClock,
  after: (ms, ...rest) => systemClock.after(ms === 10_000 ? 50 : ms, ...rest),
};
