// Agents under a configuration with includeRoots load, answer and pass check.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const files = (roots: readonly string[], body: string) =>
  folderWith({
    'team/desk.ai': agentFile(['models: offline/demo', 'usage: Ask.', 'output: { format: text }'], body),
    'team/.ai-agent.json': { includeRoots: roots },
    'shared/part.md': 'You are brief.',
  });

test.each([
  ['with an entry', ['../shared'], `You answer. \${include:../shared/part.md}`],
  ['that is empty', [], 'You answer.'],
])('a list %s', async (_, roots, body) => {
  const cwd = await files(roots, body);
  const answered = await run(['team/desk.ai', '-q', 'hello'], { cwd });
  expect(answered).toMatchObject({ code: 0, stderr: '' });
  expect(answered.stdout).not.toBe('');
  const checked = await run(['check', '--json', 'team/desk.ai'], { cwd });
  expect(JSON.parse(checked.stdout)).toMatchObject({ errors: 0, warnings: 0, agents: [{ name: 'desk' }] });
});
