// The promise: limits.x and x are one thing; who says both says the same.

import { expect, test } from 'vitest';
import { agentFile, loadFiles } from './support/world.ts';

test.each([
  ['maxTurns: 5\nlimits: { maxTurns: 6 }', 4, 'limits.maxTurns', 'says 6, and maxTurns in line 3 says 5'],
  ['limits: { maxTurns: 6 }\nmaxTurns: 5', 4, 'maxTurns', 'says 5, and limits.maxTurns in line 3 says 6'],
  [
    'maxTurns: 5\nlimits: { maxToolTurns: 5 }',
    4,
    'limits.maxToolTurns',
    'means maxTurns 6, and maxTurns in line 3 says 5',
  ],
  [
    'limits: { maxToolTurns: 5 }\nmaxTurns: 5',
    4,
    'maxTurns',
    'says 5, and limits.maxToolTurns in line 3 means maxTurns 6',
  ],
  [
    'limits:\n  maxTurns: 5\n  maxToolTurns: 5',
    5,
    'limits.maxToolTurns',
    'means maxTurns 6, and limits.maxTurns in line 4 says 5',
  ],
  [
    'maxParallel: 4\nlimits: { parallelToolCalls: false }',
    4,
    'limits.parallelToolCalls',
    'means maxParallel 1, and maxParallel in line 3 says 4',
  ],
  [
    'llmTimeout: 1m\nlimits: { llmTimeout: 61s }',
    4,
    'limits.llmTimeout',
    'says 61000, and llmTimeout in line 3 says 60000',
  ],
])('%s', async (written, line, key, message) => {
  const { problems, agents } = await loadFiles({ 'desk.ai': agentFile(written) }, ['desk.ai']);
  expect(problems).toMatchObject([{ code: 'key-conflict', severity: 'error', file: 'desk.ai', line, key, message }]);
  expect(agents).toEqual([]);
});

test.each([
  ['maxTurns: 5\nlimits: { maxTurns: "5", maxToolTurns: 4 }'],
  ['maxParallel: 1\nlimits: { parallelToolCalls: false }'],
  ['maxParallel: 3\nlimits: { parallelToolCalls: true }'],
  ['llmTimeout: 1m\nlimits: { llmTimeout: 60000 }'],
])('the same in other words is fine: %s', async (written) => {
  const { problems, agents } = await loadFiles({ 'desk.ai': agentFile(written) }, ['desk.ai']);
  expect(problems).toEqual([]);
  expect(agents).toHaveLength(1);
});

test('what is wrong is no second opinion', async () => {
  const { problems } = await loadFiles({ 'desk.ai': agentFile('maxTurns: 5\nlimits: { maxTurns: no }') }, ['desk.ai']);
  expect(problems.map(({ code }) => code)).toEqual(['key-invalid']);
});
