// A row lets in so many calls at once and begins so many in any minute, whoever comes, leaves or gives up, and whenever.

import { getEventListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import type { LeaveQueue, ToolQueue } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Queues } from '../src/queues.ts';
import { Row } from '../src/row.ts';
import type { QueueSize } from '../src/set-up.ts';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Everybody who was let in, in order, with the time. */
class Watch {
  readonly clock = new FakeClock(1_000_000);
  readonly inside: { readonly owner: string; readonly leave: LeaveQueue }[] = [];
  readonly begun: { readonly owner: string; readonly at: number }[] = [];
  most = 0;

  enter(queue: ToolQueue, owner = 'a', signal = new AbortController().signal): Promise<void> {
    const letIn = (leave: LeaveQueue) => {
      this.begun.push({ owner, at: this.clock.now() });
      this.inside.push({ owner, leave });
      this.most = Math.max(this.most, this.inside.length);
    };
    const entered = queue.enter({ owner, signal });
    if (!(entered instanceof Promise)) return Promise.resolve(letIn(entered));
    return entered.then(letIn, () => {});
  }

  leave(): void {
    this.inside.shift()?.leave();
  }

  /** Everybody is let in at the time that it is then. */
  async pass(durationMs: number): Promise<void> {
    await tick();
    const until = this.clock.now() + durationMs;
    for (let at = this.clock.nextAt; at !== undefined && at <= until; at = this.clock.nextAt) {
      this.clock.advance(at - this.clock.now());
      await tick();
    }
    this.clock.advance(until - this.clock.now());
    await tick();
  }

  mostInAMinute(): number {
    const counts = this.begun.map(({ at }) => this.begun.filter((one) => one.at >= at && one.at < at + 60_000).length);
    return Math.max(0, ...counts);
  }

  get owners(): string {
    return this.begun.map(({ owner }) => owner).join('');
  }
}

const sizes = (size: QueueSize, name = 'mine') => new Map([[name, size]]);

describe('in whatever order things happen', () => {
  type Step = (world: { watch: Watch; row: Row; controllers: AbortController[] }) => void | Promise<void>;
  const enter = fc.constantFrom('a', 'b', 'c').map(
    (owner): Step =>
      ({ watch, row, controllers }) => {
        const controller = new AbortController();
        controllers.push(controller);
        void watch.enter(row, owner, controller.signal);
      },
  );
  const leave = fc.constant<Step>(({ watch }) => watch.leave());
  const abort = fc.nat(50).map(
    (which): Step =>
      ({ controllers }) =>
        controllers[which]?.abort(),
  );
  const advance = fc.integer({ min: 1, max: 40_000 }).map(
    (ms): Step =>
      ({ watch }) =>
        watch.pass(ms),
  );
  const step = fc.oneof(
    { weight: 4, arbitrary: enter },
    { weight: 3, arbitrary: leave },
    { weight: 1, arbitrary: abort },
    { weight: 2, arbitrary: advance },
  );
  const size = fc.record(
    { concurrent: fc.integer({ min: 1, max: 4 }), callsPerMinute: fc.integer({ min: 1, max: 6 }) },
    { requiredKeys: [] },
  );

  test('the bounds hold, nobody is forgotten, and nothing stays behind', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.array(step, { maxLength: 60 }), async (bounds, steps) => {
        const watch = new Watch();
        const row = new Row(watch.clock, Number.POSITIVE_INFINITY);
        row.resize(bounds);
        const world = { watch, row, controllers: [] };
        for (const take of steps) {
          await take(world);
          await tick();
        }
        for (let i = 0; row.waiting > 0 && i < 1_000; i++) {
          watch.leave();
          await watch.pass(10_000);
        }
        while (watch.inside.length > 0) watch.leave();
        expect(watch.most).toBeLessThanOrEqual(bounds.concurrent ?? Number.POSITIVE_INFINITY);
        expect(watch.mostInAMinute()).toBeLessThanOrEqual(bounds.callsPerMinute ?? Number.POSITIVE_INFINITY);
        expect([row.holders, row.waiting, watch.clock.timers]).toEqual([0, 0, 0]);
      }),
      { numRuns: 150 },
    );
  });
});

test('a rate is used to the full: as many at once as it has, and the next ones a minute later', async () => {
  const watch = new Watch();
  const row = new Queues(watch.clock).queue('mine', sizes({ callsPerMinute: 3 }));
  for (let i = 0; i < 7; i++) void watch.enter(row);
  await tick();
  expect(watch.begun).toHaveLength(3);
  watch.clock.advance(59_999);
  await tick();
  expect(watch.begun).toHaveLength(3);
  watch.clock.advance(1);
  await tick();
  expect(watch.begun).toHaveLength(6);
  expect(watch.clock.timers).toBe(1);
  watch.clock.advance(60_000);
  await tick();
  expect(watch.begun).toHaveLength(7);
  expect(watch.clock.timers).toBe(0);
});

/** Its timers go off when the test says so, however late that is. */
function lateClock() {
  const timers: { readonly ms: number; readonly wake: () => void }[] = [];
  const clock = {
    time: 10_000_000,
    timers,
    wallTime: 1_700_000_000_000,
    now: () => clock.wallTime,
    monotonicMs: () => clock.time,
    after(ms: number, wake: () => void) {
      timers.push({ ms, wake });
      return () => {};
    },
  };
  return clock;
}

test('a wall clock that is set back delays no wait by more than a minute', async () => {
  const clock = lateClock();
  const row = new Queues(clock).queue('mine', sizes({ callsPerMinute: 1 }));
  await row.enter({ owner: 'a', signal: new AbortController().signal });
  clock.wallTime -= 3_600_000;
  const entered = Promise.resolve(row.enter({ owner: 'a', signal: new AbortController().signal }));
  expect(clock.timers.map(({ ms }) => ms)).toEqual([60_000]);
  clock.time += 60_000;
  clock.timers[0]?.wake();
  await entered;
});

test('owners take turns, and within an owner the first comes first', async () => {
  const watch = new Watch();
  const row = new Queues(watch.clock).queue('mine', sizes({ concurrent: 1 }));
  for (const owner of 'Xaaaabbc') void watch.enter(row, owner);
  for (let i = 0; i < 8; i++) {
    await tick();
    watch.leave();
  }
  expect(watch.owners).toBe('Xabcabaa');
});

test('who comes late does not pass those who wait, also when they are woken late', async () => {
  const watch = new Watch();
  const clock = lateClock();
  const row = new Queues(clock).queue('mine', sizes({ callsPerMinute: 1 }));
  void watch.enter(row, 'a');
  void watch.enter(row, 'b');
  clock.time += 60_000;
  void watch.enter(row, 'c');
  clock.timers[0]?.wake();
  await tick();
  expect(watch.owners).toBe('ab');
});

test('who was let in is not listened to any more', async () => {
  const watch = new Watch();
  const row = new Row(watch.clock, 1);
  const { signal } = new AbortController();
  void watch.enter(row);
  const entered = watch.enter(row, 'b', signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  watch.leave();
  await entered;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

describe('who gives up', () => {
  test('leaves the row at once, with the reason, and the place goes to the next', async () => {
    const watch = new Watch();
    const row = new Row(watch.clock, 1);
    const [first, second] = [new AbortController(), new AbortController()];
    void watch.enter(row);
    const gone = Promise.resolve(row.enter({ owner: 'a', signal: first.signal }));
    void watch.enter(row, 'b', second.signal);
    const reason = new RangeError('enough');
    first.abort(reason);
    expect(row.waiting).toBe(1);
    await expect(gone).rejects.toBe(reason);
    watch.leave();
    await tick();
    expect(watch.owners).toBe('ab');
  });

  test('before it comes is not let in', async () => {
    const row = new Row(new FakeClock(), 1);
    await expect(row.enter({ owner: 'a', signal: AbortSignal.abort(new RangeError('no')) })).rejects.toThrow('no');
    expect(row.holders).toBe(0);
  });

  test('as the last one takes the timer along', async () => {
    const watch = new Watch();
    const row = new Row(watch.clock, 9);
    row.resize({ callsPerMinute: 1 });
    const controller = new AbortController();
    void watch.enter(row);
    void watch.enter(row, 'a', controller.signal);
    expect(watch.clock.timers).toBe(1);
    controller.abort();
    expect([row.waiting, watch.clock.timers]).toEqual([0, 0]);
  });
});

test('a place is given back once, however often somebody leaves', async () => {
  const row = new Row(new FakeClock(), 1);
  const signal = new AbortController().signal;
  const leave = await row.enter({ owner: 'a', signal });
  leave();
  leave();
  await row.enter({ owner: 'a', signal });
  expect(row.holders).toBe(1);
});

test('a thousand wait, half of them give up, and the rest come through', async () => {
  const watch = new Watch();
  const row = new Row(watch.clock, 3);
  const controllers = Array.from({ length: 1_000 }, () => new AbortController());
  for (const [i, { signal }] of controllers.entries()) void watch.enter(row, `tree-${i % 50}`, signal);
  expect(row.waiting).toBe(997);
  for (const [i, controller] of controllers.entries()) if (i % 2 === 1 && i > 2) controller.abort();
  while (watch.inside.length > 0 || row.waiting > 0) {
    watch.leave();
    await tick();
  }
  expect(watch.begun.length).toBe(501);
  expect(watch.most).toBe(3);
  expect([row.holders, watch.clock.timers]).toEqual([0, 0]);
});

describe('by name', () => {
  const capacity = (queue: ToolQueue) => {
    const watch = new Watch();
    for (let i = 0; i < 500; i++) void watch.enter(queue);
    const count = watch.begun.length;
    while (watch.inside.length > 0) watch.leave();
    return count;
  };
  const usual = Math.min(64, 2 * availableParallelism());

  test('it is the same for everybody', () => {
    const queues = new Queues(new FakeClock());
    const bounds = sizes({ concurrent: 2 });
    expect(queues.queue('mine', bounds)).toBe(queues.queue('mine', new Map(bounds)));
    expect(queues.queue('mine', bounds)).not.toBe(queues.queue('default', bounds));
    expect(new Queues(new FakeClock()).queue('mine', bounds)).not.toBe(queues.queue('mine', bounds));
  });

  test('the default one has a size, unless a configuration says another', () => {
    expect(capacity(new Queues(new FakeClock()).queue(undefined, new Map()))).toBe(usual);
    expect(capacity(new Queues(new FakeClock()).queue('default', sizes({ concurrent: 1 }, 'default')))).toBe(1);
    expect(capacity(new Queues(new FakeClock()).queue(undefined, sizes({ concurrent: 200 }, 'default')))).toBe(200);
    expect(capacity(new Queues(new FakeClock()).queue(undefined, sizes({ callsPerMinute: 999 }, 'default')))).toBe(
      usual,
    );
  });

  test('a name that nobody knows is the default one', () => {
    const queues = new Queues(new FakeClock());
    expect(queues.queue('unknown', sizes({ concurrent: 2 }))).toBe(queues.queue(undefined, new Map()));
  });

  test('one that only has a rate is not bounded otherwise', () => {
    expect(capacity(new Queues(new FakeClock()).queue('mine', sizes({ callsPerMinute: 400 })))).toBe(400);
  });

  test('of two sizes the larger holds, of two rates the later, and who waits notices', async () => {
    const watch = new Watch();
    const queues = new Queues(watch.clock);
    const row = queues.queue('mine', sizes({ concurrent: 2, callsPerMinute: 10 }));
    for (let i = 0; i < 20; i++) void watch.enter(row);
    queues.queue('mine', sizes({ concurrent: 5 }));
    queues.queue('mine', sizes({ concurrent: 1 }));
    await tick();
    expect(watch.begun).toHaveLength(5);
    queues.queue('mine', sizes({ concurrent: 50 }));
    await tick();
    expect(watch.begun).toHaveLength(10);
    queues.queue('mine', sizes({ callsPerMinute: 15 }));
    await tick();
    expect(watch.begun).toHaveLength(15);
  });
});

test('who comes back has begun before: the rate is not asked, the number at once is', async () => {
  const watch = new Watch();
  const row = new Row(watch.clock, 2);
  row.resize({ callsPerMinute: 2 });
  const { signal } = new AbortController();
  await watch.enter(row, 'a');
  watch.leave();
  await watch.enter(row, 'a');
  void watch.enter(row, 'b');
  await tick();
  expect([row.holders, row.waiting]).toEqual([1, 1]);
  // Others wait for the minute to pass; a place is free.
  const leave = await row.enter({ owner: 'a', signal, isBack: true });
  expect([row.holders, row.waiting]).toEqual([2, 1]);
  // None is free now.
  let isIn = false;
  const third = Promise.resolve(row.enter({ owner: 'a', signal, isBack: true })).then((left) => {
    isIn = true;
    left();
  });
  await tick();
  expect(isIn).toBe(false);
  leave();
  await third;
  await watch.pass(60_000);
  expect(watch.owners).toBe('aab');
  watch.leave();
  watch.leave();
  expect([row.holders, row.waiting, watch.clock.timers]).toEqual([0, 0, 0]);
});
