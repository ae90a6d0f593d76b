// Money is unknown if its sum is 0 and misses calls: the usage table, the tree and the line below an answer agree.

import { ledgerOf, noTotals, type Outcome, type SessionNode, type Totals } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { toFooter } from '../src/commands/chat/talk-words.ts';
import { drawOpTree } from '../src/render/op-tree.ts';
import { toUsageTable } from '../src/render/usage-table.ts';

function shown(usage: Totals): readonly string[] {
  const ledger = { ...ledgerOf([]), total: usage };
  const table = toUsageTable({ ledger, durationMs: 0, width: 100, isColoured: false });
  const session = { status: 'completed', title: null, turns: [], trace: { instanceName: 'desk' }, usage };
  const footer = toFooter({ status: 'completed', usage, startedAt: 0, endedAt: 0 } as unknown as Outcome);
  return [table.at(-1) ?? '', drawOpTree(session as unknown as SessionNode)[0] ?? '', footer];
}

test('a sum of 0 with a request of unknown cost', () => {
  expect(shown({ ...noTotals, modelCalls: 2, unknownCostCalls: 1 })).toEqual([
    expect.stringMatching(/ unknown {2}0\.0 s$/),
    'desk: completed, 0 tokens, cost unknown',
    '0.0 s · 0 tokens',
  ]);
});

test('a sum with a request of unknown cost', () => {
  expect(shown({ ...noTotals, modelCalls: 2, unknownCostCalls: 1, costUsd: 0.5 })).toEqual([
    expect.stringMatching(/ \$0\.5000\+\? {2}0\.0 s$/),
    'desk: completed, 0 tokens, $0.5000+?',
    '0.0 s · 0 tokens · $0.5000+?',
  ]);
});

test('a sum of 0 with every cost known', () => {
  expect(shown({ ...noTotals, modelCalls: 2 })).toEqual([
    expect.stringMatching(/ \$0 {2}0\.0 s$/),
    'desk: completed, 0 tokens',
    '0.0 s · 0 tokens · $0',
  ]);
});
