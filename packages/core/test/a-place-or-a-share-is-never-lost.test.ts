// Calls that come, wait, work and are cancelled at any step of each other. SEED and RUNS choose which: see properties/property.ts.

import { Scope } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cancelled } from '../src/abort.ts';
import { TreeBudget } from '../src/budget/tree-budget.ts';
import { Gate } from '../src/slots.ts';
import { seed } from './properties/property.ts';
import { nextTick } from './support/walk.ts';

/** All in steps of promises, the smallest there are: when it comes, how long it works, when it is cancelled, if it is. */
const calls = fc.array(
  fc.record({ comesAt: fc.nat(6), works: fc.nat(6), cancelledAt: fc.option(fc.nat(20)), tree: fc.nat(2) }),
  { minLength: 2, maxLength: 7, size: 'max' },
);
type Call = typeof calls extends fc.Arbitrary<(infer C)[]> ? C : never;

async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step++) await undefined;
}

async function act({ comesAt, cancelledAt }: Call, work: (scope: Scope) => Promise<unknown>): Promise<void> {
  const scope = new Scope(() => 0);
  if (cancelledAt !== null) void steps(cancelledAt).then(() => scope.abort(cancelled('over')));
  await steps(comesAt);
  await work(scope).catch(() => {});
}

async function endsOf(all: readonly Promise<void>[]): Promise<number> {
  let ended = 0;
  for (const one of all) void one.then(() => ended++);
  await nextTick();
  await nextTick();
  return ended;
}

test('of a gate: everybody gets through or gives up, never too many at once', () =>
  fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 1, max: 3 }), async (list, size) => {
      const gate = new Gate(size);
      let inside = 0;
      const ends = list.map((call) =>
        act(call, (scope) =>
          gate.run(`${call.tree}`, scope, async () => {
            expect(++inside).toBeLessThanOrEqual(size);
            await steps(call.works);
            inside--;
          }),
        ),
      );
      expect(await endsOf(ends)).toBe(list.length);
      expect([gate.holders, gate.waiting]).toEqual([0, 0]);
    }),
    { seed, numRuns: Number(process.env.RUNS ?? 1_000) },
  ));

test('of a budget: everybody gets a share, is refused or gives up, never more than there is', () =>
  fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 200, max: 2_000 }), async (list, tokens) => {
      const budget = new TreeBudget(new FakeClock());
      budget.open({ sessionId: 's', parentId: null, budget: { tokens }, contextTokens: 0, halt: () => {} });
      let used = 0;
      const ends = list.map((call, i) =>
        act(call, async (scope) => {
          const need = { sessionId: 's', key: `${i}`, inputTokens: 10, outputTokens: 400, isLast: call.tree === 0 };
          const grant = await budget.reserve(need, scope);
          if (!grant?.isGranted) return;
          await steps(call.works);
          used += 10 + grant.outputTokens;
          budget.settle(need.key, { inputTokens: 10, outputTokens: grant.outputTokens, costUsd: 0 });
        }),
      );
      expect(await endsOf(ends)).toBe(list.length);
      expect(budget.held).toBe(0);
      expect(used).toBeLessThanOrEqual(tokens);
    }),
    { seed, numRuns: Number(process.env.RUNS ?? 1_000) },
  ));
