// The promise: a last turn offers no tools, and tells the model's adapter which ones the conversation knows.

import { type Agent, defineTool } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { walk } from './support/walk.ts';

const search = defineTool({
  name: 'search',
  description: 'finds',
  inputSchema: { type: 'object' },
  execute: () => 'found',
});

function agent(limits: Agent['limits'], tools: Agent['tools'] = [search]) {
  const model = scriptedModel(({ tools: offered }) =>
    offered.length > 0 ? { calls: [{ name: 'search', input: {} }] } : 'what I have',
  );
  return { name: 'lead', instructions: 'Go.', model, tools, ...(limits ? { limits } : {}) };
}

test('only then, and as they were offered', async () => {
  const lead = agent({ maxTurns: 2 });
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns' });
  const [first, last] = lead.model.requests;
  expect(first?.tools.map(({ name }) => name)).toEqual(['search']);
  expect(first?.withheld).toBeUndefined();
  expect(last?.tools).toEqual([]);
  expect(last?.withheld).toEqual(first?.tools);
});

test('an agent without tools withholds none', async () => {
  const lead = agent({ maxTurns: 1 }, []);
  expect((await walk(lead)).outcome.status).toBe('completed');
  expect(lead.model.requests.map(({ withheld }) => withheld ?? [])).toEqual([[]]);
});
