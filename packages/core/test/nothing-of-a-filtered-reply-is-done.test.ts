// A reply that a filter touched is a refusal: its calls are not made, and it is no answer.

import { defineTool } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

test('calls beside a refusal are not made', async () => {
  let made = 0;
  const act = defineTool({
    name: 'act',
    inputSchema: { type: 'object' },
    execute: () => {
      made++;
      return 'done';
    },
  });
  const lead = agent('lead', [{ text: 'Half a', calls: [{ name: 'act' }], finishReason: 'content-filter' }, 'and on'], {
    tools: [act],
  });
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'model-refusal' } });
  expect(made).toBe(0);
  expect(lead.model.requests).toHaveLength(1);
});
