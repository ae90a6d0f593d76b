// Missing variables are listed once, with the agents that need them, as lines to paste into .ai-agent.env. A broken configuration is one error.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const team = {
  'lead.ai': agentFile(['models: openai/gpt-5', 'agents: [researcher.ai, writer.ai]', 'tools: files']),
  'researcher.ai': agentFile(['models: openai/gpt-5', 'description: finds', 'tools: files']),
  'writer.ai': agentFile(['models: openrouter/m', 'description: writes']),
  '.ai-agent.json': { mcpServers: { files: { command: 'files', env: { TOKEN: `\${FILES_TOKEN}` } } } },
};

const list = [
  'Missing variables, as lines for .ai-agent.env:',
  'FILES_TOKEN=   # needed by researcher, lead',
  'OPENAI_API_KEY=   # needed by researcher, lead',
  'OPENROUTER_API_KEY=   # needed by writer',
  '',
].join('\n');

const linesWith = (text: string, word: string) => text.split('\n').filter((line) => line.includes(word));

test('in a check, and as data', async () => {
  const cwd = await folderWith(team);
  const { code, stdout } = await run(['check', 'lead.ai'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain(list);
  expect(linesWith(stdout, 'OPENAI_API_KEY')).toEqual([
    'researcher.ai:2: error: models: Missing: OPENAI_API_KEY; define in shell or .ai-agent.env (needed by researcher, lead)',
    'OPENAI_API_KEY=   # needed by researcher, lead',
  ]);
  const { problems } = JSON.parse((await run(['check', 'lead.ai', '--json'], { cwd })).stdout);
  expect(problems).toContainEqual(
    expect.objectContaining({ code: 'secret-missing', variable: 'OPENROUTER_API_KEY', neededBy: ['writer'] }),
  );
});

test('before a run, on stderr', async () => {
  const cwd = await folderWith(team);
  const { code, stdout, stderr } = await run(['lead.ai', 'go'], { cwd });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(list);
  expect(linesWith(stderr, 'error: ')).toHaveLength(3);
});

test('lines for the file that can define them: the one beside the entry that names the variable', async () => {
  const folder = await folderWith({
    'team/a.ai': agentFile(['models: work/m, openai/gpt-5']),
    'team/.ai-agent.json': { providers: { work: { type: 'openai', apiKey: `\${WORK_KEY}` } } },
    'here/x.txt': '',
  });
  const cwd = join(folder, 'here');
  const { stdout } = await run(['check', '../team/a.ai'], { cwd });
  expect(stdout).toContain(
    [
      `Missing variables, as lines for ${join(folder, 'team/.ai-agent.env')}:`,
      'WORK_KEY=   # needed by a',
      'Missing variables, as lines for .ai-agent.env:',
      'OPENAI_API_KEY=   # needed by a',
      '',
    ].join('\n'),
  );
});

test('a line of an env file that cannot be read is one error', async () => {
  const cwd = await folderWith({ ...team, '.ai-agent.env': 'OPENAI_API_KEY: sk-1234\n' });
  const { stdout } = await run(['check', 'lead.ai'], { cwd });
  expect(linesWith(stdout, 'error: ')).toEqual([expect.stringMatching(/^\.ai-agent\.env:1: error: /)]);
  expect(stdout).not.toContain('Missing');
});

test('nothing of it where nothing is missing, and a broken configuration is one error', async () => {
  const cwd = await folderWith({ ...team, '.ai-agent.json': '{ "mcpServers": ' });
  const { code, stdout } = await run(['check', 'lead.ai'], { cwd });
  expect(code).toBe(1);
  expect(linesWith(stdout, 'error: ')).toEqual([expect.stringMatching(/^\.ai-agent\.json:1: error: is not JSON: /)]);
  expect(stdout).not.toContain('Missing');
});
