// A module is loaded once, when it is first needed; one that could not be loaded is tried again.

import { expect, test } from 'vitest';
import { lazily } from '../src/lazily.ts';

test('nothing is loaded before it is needed, and nothing twice', async () => {
  let loads = 0;
  const load = lazily(async () => ++loads);
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect([await load(), loads]).toEqual([1, 1]);
});

test('a load that failed is not kept', async () => {
  let loads = 0;
  const load = lazily(async () => {
    if (++loads === 1) throw new TypeError('The disk was away.');
    return loads;
  });
  await expect(load()).rejects.toThrow('The disk was away.');
  expect(await load()).toBe(2);
});
