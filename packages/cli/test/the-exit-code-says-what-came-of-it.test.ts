// Exit codes of the real command, one for each way a run can end; stderr names the class.

import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../src/exit-codes.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { listening, served } from './support/served.ts';

const at = (baseUrl: string, frontmatter: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
  folderWith({
    'desk.ai': agentFile(['models: local/m', 'maxRetries: 1', ...frontmatter]),
    '.ai-agent.json': localProvider(baseUrl),
    ...more,
  });

test('0: done', async () => {
  const { baseUrl } = await served(['fine']);
  expect(await run(['desk.ai', 'hello'], { cwd: await at(baseUrl) })).toMatchObject({ code: 0, stdout: 'fine\n' });
});

test('1: set up wrongly, and no model was asked', async () => {
  const model = await served(['fine']);
  const cwd = await at(model.baseUrl, ['maxTurns: -1']);
  const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd });
  expect([code, stdout, model.requests.length]).toEqual([1, '', 0]);
  expect(stderr).toMatch(/desk\.ai:4: error: maxTurns: found -1; must be .*\nfailed \(config\): .*\nWhat to do: /);
});

describe('2: the model', () => {
  test.each([
    [401, 'auth'],
    [403, 'auth'],
    [402, 'quota'],
    [429, 'rate_limit'],
    [500, 'model'],
    [400, 'model'],
  ])('%i of a provider is %s', async (status, kind) => {
    const { url } = await listening((_, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end('{"error":{"message":"No, said the server."}}'),
    );
    const { code, stdout, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd: await at(url) });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^failed \\(${kind}\\): .*No, said the server\\..*\nWhat to do: .+\n$`));
  });

  test('nobody there is network, and the address is named', async () => {
    const cwd = await at('http://127.0.0.1:9/v1');
    const { code, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^failed \(network\): .*127\.0\.0\.1:9.*\nWhat to do: .+\n$/);
  });

  test('too slow is timeout', async () => {
    const { baseUrl } = await served([{ latencyMs: 30_000 }]);
    const { code, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd: await at(baseUrl, ['llmTimeout: 200ms']) });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^failed \(timeout\): /);
  });

  test('an answer that never keeps its contract is invalid_output', async () => {
    const { baseUrl } = await served(() => 'not JSON');
    const cwd = await at(baseUrl, ['output: {format: json, schema: {type: object, required: [a]}}', 'maxTurns: 20']);
    const { code, stdout, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^What it had written:\nnot JSON\nfailed \(invalid_output\): /);
  });
});

test('3: a tool, which no file of today can fail with as a whole', () => {
  const failure = { class: 'tool', code: 'tool-failed', message: 'm', remedy: 'r', retryable: false };
  expect(exitCodeOf({ status: 'failed', failure } as Parameters<typeof exitCodeOf>[0])).toBe(3);
});

test('4: used wrongly, also by a prompt that breaks the contract of the file', async () => {
  const { baseUrl } = await served(['fine']);
  expect((await run(['desk.ia', 'hello'], { cwd: await at(baseUrl) })).code).toBe(4);
});

describe('5: a limit', () => {
  const calls = { calls: [{ name: 'agent__child', input: { text: 'go', reason: 'r' } }] };
  const child = { 'child.ai': agentFile(['models: offline/demo', 'description: a child']) };

  test('of turns: the answer of the wrap-up is kept', async () => {
    const { baseUrl } = await served((request) => (request.tools.length > 0 ? calls : 'what I have'));
    const cwd = await at(baseUrl, ['maxTurns: 2', 'agents: child.ai'], child);
    const { code, stdout, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd });
    expect([code, stdout]).toEqual([5, 'what I have\n']);
    expect(stderr).toBe('partial: the limit maxTurns ended the run.\n');
  });

  test('of tokens, before the first call', async () => {
    const model = await served(['fine']);
    const cwd = await at(model.baseUrl, ['budget: {tokens: 1}']);
    const { code, stdout, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd });
    expect([code, stdout, model.requests.length]).toEqual([5, '', 0]);
    expect(stderr).toMatch(/^failed \(budget\): .*tokens.*\nWhat to do: /);
  });
});

test('6: a question, which a person has to answer', async () => {
  const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
  const { baseUrl } = await served([asks]);
  const { code, stdout, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd: await at(baseUrl, ['ask: person']) });
  expect([code, stdout]).toEqual([6, '']);
  expect(stderr).toMatch(/^needs_user_input: Which year\?\nWhat to do: /);
});

test('6: a call that needs leave, which no prompt can give', async () => {
  const model = await served(() => ({ calls: [{ name: 'rest__tide', input: {} }] }));
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'tools: tide', 'permissions: { ask: ["rest__*"] }']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), restTools: { tide: { url: 'http://127.0.0.1:1/' } } },
  });
  const { code, stderr } = await run(['desk.ai', 'hello'], { cwd });
  expect(code).toBe(6);
  expect(stderr).toMatch(/What to do: Answer it: ai-agent sessions resume \w{26} --answer yes\n/);
  const unkept = await run(['desk.ai', 'hello', '--no-store'], { cwd });
  expect(unkept.stderr).toContain('What to do: Run it at a terminal, or take the tool out of `ask` in permissions.\n');
});
