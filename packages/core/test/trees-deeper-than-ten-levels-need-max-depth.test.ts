// A tree that goes more than ten levels deep is refused before it costs anything, unless its root sets maxDepth.

import { type Agent, ask, asTool } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent } from './support/walk.ts';

/** A root with so many levels below it. */
function tower(levels: number, limits: Agent['limits'] = {}): Agent {
  const below = levels === 0 ? [] : [asTool(tower(levels - 1))];
  return agent(`level${levels}`, () => 'done', { description: 'd', tools: below, limits });
}

const run = (root: Agent) => ask(root, 'go', { ports: fakePorts() });

test('ten levels run, eleven are refused with what to set', async () => {
  expect((await run(tower(10))).status).toBe('completed');
  await expect(run(tower(11))).rejects.toMatchObject({
    code: 'agent-invalid',
    message: expect.stringMatching(/level11.*11 levels.*limits\.maxDepth/),
  });
});

test('maxDepth of the root is enough, whether it covers the whole tree or not', async () => {
  expect((await run(tower(12, { maxDepth: 12 }))).status).toBe('completed');
  expect((await run(tower(12, { maxDepth: 2 }))).status).toBe('completed');
});

test('a deep agent below a root that sets maxDepth runs', async () => {
  const root = tower(12, { maxDepth: 12 });
  const calling = {
    ...root,
    model: agent('x', [{ calls: [{ name: 'level11', input: { text: 'go', reason: 'r' } }] }, 'done']).model,
  };
  const outcome = await run(calling);
  expect(outcome.ledger.byName.level11?.modelCalls).toBe(1);
});
