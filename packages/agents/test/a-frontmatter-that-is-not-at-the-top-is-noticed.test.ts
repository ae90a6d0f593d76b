// The promise: options are never taken for a part of the prompt without a word.

import { expect, test } from 'vitest';
import { agentFile, loadFiles } from './support/world.ts';

const rest = 'models: openai/gpt-5\nmaxTurns: 4\n---\nYou are helpful.\n';

test.each([
  ['an empty line above', `\n---\n${rest}`],
  ['a shebang and empty lines above', `#!/usr/bin/env ai-agent\n\n  \n---\n${rest}`],
  ['a comment behind the dashes', `--- # the desk\n${rest}`],
  ['a byte order mark', `\uFEFF---\n${rest}`],
  ['lone carriage returns', `---\n${rest}`.replaceAll('\n', '\r')],
])('%s does no harm', async (_, text) => {
  const { agents, problems } = await loadFiles({ 'a.ai': text }, ['a.ai']);
  expect(problems).toEqual([]);
  expect(agents[0]?.agent.limits).toEqual({ maxTurns: 4 });
});

test('words above make it a part of the prompt, which is said with its line', async () => {
  const { problems } = await loadFiles({ 'a.ai': `# The desk\n\n---\n${rest}` }, ['a.ai']);
  expect(problems).toMatchObject([{ severity: 'warning', code: 'frontmatter-invalid', file: 'a.ai', line: 3 }]);
});

test('lines between dashes that are no options are none', async () => {
  const { problems } = await loadFiles({ 'a.ai': 'Say:\n\n---\nHello: you\n---\nbye' }, ['a.ai']);
  expect(problems).toEqual([]);
});

test.each([
  ['bytes', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2])],
  ['Latin-1', Buffer.from('---\nmodels: openai/gpt-5\n---\nGr\u00fc\u00dfe', 'latin1')],
  ['UTF-16', Buffer.from(agentFile(), 'utf16le')],
])('%s are no agent', async (_, bytes) => {
  const { problems, agents } = await loadFiles({ 'a.ai': bytes }, ['a.ai']);
  expect(problems).toMatchObject([{ severity: 'error', code: 'prompt-invalid', file: 'a.ai' }]);
  expect(agents).toEqual([]);
});
