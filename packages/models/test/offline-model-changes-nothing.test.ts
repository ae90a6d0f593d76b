// The promise: a model that understands nothing calls nothing that says it changes something.

import { ask, defineTool } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/index.ts';

test.each([
  [true, ['look']],
  [undefined, ['look']],
  [false, []],
] as const)('a tool whose readOnly is %s', async (readOnly, expected) => {
  const called: string[] = [];
  const look = defineTool({
    name: 'look',
    inputSchema: { type: 'object' },
    ...(readOnly === undefined ? {} : { readOnly }),
    execute: () => {
      called.push('look');
      return 'seen';
    },
  });
  const agent = { name: 'clerk', instructions: 'Use what you have.', model: offlineDemo(), tools: [look] };
  const outcome = await ask(agent, 'Tidy up.', { ports: fakePorts() });
  expect(outcome.status).toBe('completed');
  expect(called).toEqual(expected);
});
