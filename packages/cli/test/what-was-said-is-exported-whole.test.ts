// The promise: a session that was summed up on the way is exported with all that was said, and shows where it was summed up.

import { expect, test } from 'vitest';
import { call, handleIn, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { listening, served } from './support/served.ts';

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

test('every message and every answer, and no summary among them', { timeout: 60_000 }, async () => {
  const model = await served(({ system }) =>
    system.startsWith('You sum up') ? 'SUMMARY' : `answer ${'and so on '.repeat(40)}`,
  );
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'maxOutputTokens: 256']),
    '.ai-agent.json': {
      providers: {
        local: { type: 'openai-compatible', baseUrl: model.baseUrl, models: { m: { contextWindow: 2_048 } } },
      },
    },
  });
  const input = words.map((word) => `message ${word} ${'with many words '.repeat(20)}\n`).join('');
  const talked = await run(['chat', 'desk.ai', '--verbose'], { cwd, input });
  expect(talked.code).toBe(0);
  expect(talked.stderr).toContain(' step summary: model local/m took ');
  const [head] = await headsIn(cwd);
  const id = head?.id ?? '';
  const { stdout } = await run(['sessions', 'export', id, '--format', 'markdown'], { cwd });
  const said = [...stdout.matchAll(/^## You\n\nmessage (\w+) /gm)].map(([, word]) => word);
  expect(said).toEqual(words);
  expect(stdout.match(/^## You/gm)).toHaveLength(words.length);
  expect(stdout.match(/^## desk\n\nanswer /gm)).toHaveLength(words.length);
  expect(stdout).not.toContain('SUMMARY');
  const tree = (await run(['sessions', 'tree', id], { cwd })).stdout;
  expect(tree).toMatch(/^\|- 1\. summary model local\/m: /m);
  expect(tree).toMatch(/^`- 1\. model local\/m: /m);
});

async function exported(files: Readonly<Record<string, string | object>>, prompt = 'go'): Promise<string> {
  const cwd = await folderWith(files);
  await run(['desk.ai', prompt], { cwd });
  const [head] = await headsIn(cwd);
  return (await run(['sessions', 'export', head?.id ?? '', '--format', 'markdown'], { cwd })).stdout;
}

test('data is set out, and a round without an answer says how it ended', async () => {
  const model = await served(() => '{"a": 1}');
  const json = agentFile(['models: local/m', 'output: { format: json, schema: { type: object } }']);
  const data = await exported({ 'desk.ai': json, '.ai-agent.json': localProvider(model.baseUrl) });
  expect(data).toMatch(/## You\n\ngo\n\n## desk\n\n```json\n{\n {2}"a": 1\n}\n```\n$/);
  const refusing = await listening((_, response) => response.writeHead(401).end('{}'));
  const failed = await exported({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(refusing.url),
  });
  expect(failed).toMatch(/## You\n\ngo\n\n\*\(failed: .+\)\*\n$/);
});

test('what an agent asks the one above it is a question too, and no plumbing', async () => {
  const model = await served((request) => {
    const [result] = resultsIn(request);
    if (request.system.includes('You are the child'))
      return result === undefined ? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] } : `done ${result}`;
    if (result === undefined) return { calls: [call('agent__child', { text: 'go' })] };
    if (!result.includes('resume')) return 'All done.';
    return { calls: [call('agent__child', { resume: handleIn(request), answer: 'this' })] };
  });
  const page = await exported({
    'desk.ai': agentFile(['models: local/m', 'agents: child.ai'], 'You are the desk.'),
    'child.ai': agentFile(['models: local/m', 'description: helps', 'ask: caller'], 'You are the child.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  expect(page).toContain('\n### child asks desk\n\nWhich?\n');
  expect(page).not.toContain('if you do not know, ask in turn');
  expect(page).toMatch(/### Result of agent__child\n\n```\ndone this\n```\n\n## desk\n\nAll done\.\n$/);
});
