// The contract of every headend: the same conversations, through whichever door.

import { describe } from 'vitest';
import { asksAndIsAnswered } from './asks.ts';
import type { Door } from './door.ts';
import { endsAtLimits, endsFromOutside } from './endings.ts';
import { failsInEveryClass } from './failures.ts';
import { asksBack } from './questions.ts';
import { streamsItsAnswer } from './streams.ts';

export function keepsTheContract(door: Door): void {
  describe(door.name, () => {
    describe('asks and is answered', () => asksAndIsAnswered(door));
    describe('streams its answer', () => streamsItsAnswer(door));
    describe('ends at limits', () => endsAtLimits(door));
    describe('asks back', () => asksBack(door));
    describe('fails in every class', () => failsInEveryClass(door));
    describe('is ended from outside', () => endsFromOutside(door));
  });
}
