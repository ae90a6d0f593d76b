// The promise: what looks like a key is never shown, not even when it stands where it should not.

import { expect, test } from 'vitest';
import { loadFiles } from './support/world.ts';

const key = ['sk', 'proj', 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789'].join('-');

test.each([
  ['a value', `temperature: ${key}`, {}],
  ['a key', `${key}: 1`, {}],
  ['a model', `models: ${key}`, {}],
  ['a default', 'maxTurns: 3', { defaults: { temperature: key } }],
  ['a size of a queue', 'maxTurns: 3', { queues: { a: { concurrent: key } } }],
])('%s', async (_, line, config) => {
  const files = { 'a.ai': `---\n${line}\n---\nYou are helpful.\n`, '.ai-agent.json': config };
  const { problems } = await loadFiles(files, ['a.ai']);
  expect(problems.length).toBeGreaterThan(0);
  expect(JSON.stringify(problems)).not.toContain(key);
  expect(JSON.stringify(problems)).toContain('***');
});
