// What really happened in a tree, against what its sessions were allowed.

import { noTotals } from '@ai-agent/core';
import { isBelow } from '../../src/place.ts';
import type { Stage } from './stage.ts';
import type { Ended } from './world.ts';

/** Model calls, tool calls and sessions that began are never more than there may be. */
export function countsAreKept({ stages }: Ended): readonly string[] {
  return stages.flatMap((stage) =>
    [...stage.budget.books.values()].flatMap(({ id, account: { budget } }) => {
      const counts = countsOf(stage, id);
      const over = (['turns', 'toolCalls', 'descendants'] as const).filter(
        (amount) => counts[amount] > (budget[amount] ?? Number.POSITIVE_INFINITY),
      );
      return over.map((amount) => `${id} had ${counts[amount]} ${amount} of ${budget[amount]}`);
    }),
  );
}

function countsOf({ starts, facts }: Stage, id: string) {
  const own = starts.filter(({ sessionId }) => isBelow(sessionId, id));
  const descendants = facts.filter(
    ({ type, trace }) => type === 'session-start' && isBelow(trace.selfId, id) && trace.selfId !== id,
  );
  const tools = own.filter(({ type }) => type === 'tool').length;
  // A request that is tried again belongs to the same turn.
  const turns = new Set(own.flatMap(({ type, key }) => (type === 'model' ? [key] : []))).size;
  return { turns, toolCalls: tools + descendants.length, descendants: descendants.length };
}

/** Where nobody uses more than was reserved, nothing at all is used too much. */
export function honestBudgetsAreKept({ stages }: Ended): readonly string[] {
  return stages.flatMap(({ outcome, budget }) =>
    [...budget.books.values()].flatMap(({ id, account }) => {
      const { inputTokens, outputTokens, costUsd } = outcome?.ledger.bySession[id]?.subtree ?? noTotals;
      const used = { tokens: inputTokens + outputTokens, costUsd };
      const over = (['tokens', 'costUsd'] as const).filter(
        (amount) => used[amount] > (account.budget[amount] ?? Number.POSITIVE_INFINITY) + 1e-9,
      );
      return over.map((amount) => `${id} used ${used[amount]} ${amount} of ${account.budget[amount]}`);
    }),
  );
}
