// The promise: work that may take for ever is stopped when it has worked too long, not when the machine was busy with others.

import { expect, test } from 'vitest';
import { withinTime } from '../src/within-time.ts';

test('what works for ever is stopped', () => {
  const began = performance.now();
  const forEver = () => {
    for (;;);
  };
  expect(() => withinTime(50, forEver)).toThrow(RangeError);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('what had to wait is done again, and no more often than a few times', () => {
  // Sleeping is what waiting for others looks like: time goes by, and nothing is worked.
  const nap = new Int32Array(new SharedArrayBuffer(4));
  let tries = 0;
  const waits = (naps: number) => () => {
    tries += 1;
    if (tries <= naps) for (;;) Atomics.wait(nap, 0, 0, 10);
    return 'done';
  };
  expect(withinTime(30, waits(2))).toBe('done');
  // On a busy machine the one that does not wait may have to, too.
  expect(tries).toBeGreaterThanOrEqual(3);
  expect(tries).toBeLessThanOrEqual(5);
  tries = 0;
  expect(() => withinTime(30, waits(100))).toThrow('It takes too long.');
  expect(tries).toBe(5);
});

test('what the work throws is thrown', () => {
  const fails = () => {
    throw new TypeError('No.');
  };
  expect(() => withinTime(50, fails)).toThrow(new TypeError('No.'));
});
