// The promise: --trace-llm shows every request and reply, --trace-sdk what goes over the wire; bounded, and never a key.

import { describe, expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { type Answer, completion, listening, served, streamed } from './support/served.ts';

const canary = 'Zx9canaryQ7vT';

const keyed = (baseUrl: string) => ({
  '.ai-agent.env': `MY_KEY=${canary}\n`,
  '.ai-agent.json': localProvider(baseUrl, { apiKey: `$\{MY_KEY}`, headers: { 'x-team': `$\{MY_KEY}` } }),
});

test('requests and replies of every agent, each with what is new to its model', async () => {
  const long = 'x'.repeat(5_000);
  const model = await served((request) => {
    if (request.tools.length === 0) return `\u001b[31mred\u001b[0m ${long} ${canary}`;
    return resultsIn(request).length === 0 ? { calls: [call('agent__part', { text: 'look' })] } : 'done';
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: part.ai'], 'You lead.'),
    'part.ai': agentFile(['description: A part', 'models: local/m'], 'You help.'),
    ...keyed(model.baseUrl),
  });
  const { code, stdout, stderr } = await run(['desk.ai', '-q', '--trace-llm', 'hello'], { cwd });
  expect([code, stdout]).toEqual([0, 'done\n']);
  const heads = stderr.split('\n').filter((line) => /^[→←]/.test(line));
  expect(heads.map((line) => line.replace(/:.*/, ''))).toEqual([
    '→ desk, turn 1, to local/m',
    '← desk, turn 1, from local/m',
    '→ part, turn 1, to local/m',
    '← part, turn 1, from local/m',
    '→ desk, turn 2, to local/m',
    '← desk, turn 2, from local/m',
  ]);
  expect(heads[1]).toMatch(/: \d+\.\d s, \d+ in \+ \d+ out tokens, tool-calls$/);
  expect(stderr).toContain('  system\n    │ You lead.');
  expect(stderr).toContain('  user\n    │ hello\n  tools\n    │ agent__part\n');
  expect(stderr).toContain('  calls agent__part\n    │ {"reason":"r","text":"look"}\n');
  expect(stderr.split('│ You lead.')).toHaveLength(2);
  expect(stderr).toContain(`    │ red ${'x'.repeat(3_000)}`);
  expect(stderr).toMatch(/│ \(1\d{3} more characters\)/);
  expect(stderr).not.toContain('\u001b');
  expect(stderr).not.toContain(canary);
});

test('what failed is in it', async () => {
  const model = await served(() => ({ fail: { code: 'model-request-refused', message: 'not today' } }));
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: local/m', 'maxRetries: 1']), ...keyed(model.baseUrl) });
  const { code, stderr } = await run(['desk.ai', '-q', '--trace-llm', 'hello'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^← desk, turn 1, from local\/m: \d\.\d s, 0 in \+ 0 out tokens, failed$/m);
  expect(stderr).toMatch(/│ .*not today/);
});

describe('over the wire', () => {
  const traced = async (answer: Answer) => {
    const { url, heard } = await listening(answer);
    const cwd = await folderWith({ 'desk.ai': agentFile(['models: local/m', 'maxRetries: 1']), ...keyed(`${url}/v1`) });
    const ended = await run(['desk.ai', '-q', '--trace-sdk', 'hello'], { cwd });
    expect(heard[0]?.authorization).toBe(`Bearer ${canary}`);
    expect(ended.stderr).not.toContain(canary);
    expect(ended.stderr).toContain(`⇒ #1 POST ${url}/v1/chat/completions\n  headers\n`);
    expect(ended.stderr).toMatch(/│ authorization: \*\*\*\n/);
    expect(ended.stderr).toMatch(/│ x-team: \*\*\*\n/);
    expect(ended.stderr).toMatch(/│ content-type: application\/json\n/);
    expect(ended.stderr).toMatch(/ {2}body\n {4}│ \{.*"hello"/);
    return ended;
  };

  test('a whole answer', async () => {
    const { code, stdout, stderr } = await traced((_, response) => completion(response, `yes, ${canary}`));
    expect([code, stdout]).toEqual([0, 'yes, ***\n']);
    expect(stderr).toMatch(/⇐ #1 200 OK\n {2}headers\n/);
    expect(stderr).toMatch(/⇐ #1 it said\n {2}body\n {4}│ \{.*yes, \*\*\*/);
  });

  test('a status that would drive a terminal', async () => {
    const { stderr } = await traced((_, response) => {
      response.statusMessage = 'OK\u009b31mred';
      completion(response, 'yes');
    });
    expect(stderr).toMatch(/⇐ #1 200 OK 31mred\n/);
    expect(stderr).not.toContain('\u009b');
  });

  test('a stream', async () => {
    const { code, stdout, stderr } = await traced((_, response) => streamed(response, ['ye', 's']));
    expect([code, stdout]).toEqual([0, 'yes\n']);
    expect(stderr).toMatch(/│ data: \{.*"ye"/);
    expect(stderr).toContain('│ data: [DONE]');
  });

  test('a stream with a key in pieces is left out', async () => {
    const { stderr } = await traced((_, response) => streamed(response, [...`it is ${canary}.`]));
    expect(stderr).toMatch(/⇐ #1 it said\n {2}body\n {4}│ It has a key in it, in pieces\.\n/);
  });

  test('a refusal, and no answer at all', async () => {
    const refused = await traced((_, response) =>
      response.writeHead(401, { 'content-type': 'application/json' }).end(`{"error":{"message":"bad key ${canary}"}}`),
    );
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/⇐ #1 401 Unauthorized\n/);
    expect(refused.stderr).toContain('bad key ***');
    const none = await traced((_, response) => response.destroy());
    expect(none.stderr).toMatch(/⇐ #1 no answer: /);
  });
});
