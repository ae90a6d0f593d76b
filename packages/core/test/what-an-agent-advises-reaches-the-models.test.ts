// Soft advice of a definition becomes words: a hint for the agent's own model, an example for its callers.

import { asTool } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const helper = agent('helper', ['done']);

test('a hint how many calls to plan for is a sentence of the system prompt, when there are tools', async () => {
  const planner = agent('planner', ['done'], { hints: { parallel: 2 }, tools: [asTool(helper)] });
  await walk(planner);
  expect(planner.model.requests[0]?.system).toContain('Plan for at most 2 calls of tools side by side');
});

test('without tools there is nothing to plan', async () => {
  const loner = agent('loner', ['done'], { hints: { parallel: 2 } });
  await walk(loner);
  expect(loner.model.requests[0]?.system).not.toContain('side by side');
});

test('the sentence can be replaced', async () => {
  const planner = agent('planner', ['done'], { hints: { parallel: 1 }, tools: [asTool(helper)] });
  await walk(planner, 'go', { texts: { planParallel: (calls) => `At once: ${calls}` } });
  expect(planner.model.requests[0]?.system).toContain('At once: 1');
});

test('a hint that is none is refused', () => {
  expect(() => asTool(agent('odd', ['done'], { hints: { parallel: 0 } }))).toThrow(
    /hints\.parallel.*whole number from 1/,
  );
  expect(() => asTool(agent('odd', ['done'], { hints: { paralel: 1 } as never }))).toThrow(/hints\.paralel/);
});

test('callers see the example beside the text they may send', async () => {
  const caller = agent('caller', ['done'], { tools: [asTool({ ...helper, usage: 'a company name' })] });
  await walk(caller);
  const [tool] = caller.model.requests[0]?.tools ?? [];
  expect(JSON.stringify(tool?.inputSchema)).toContain('For example: a company name');
});
