// Through the command: a provider that wants to be left alone for a while is waited for, and --events says so while it lasts.

import type { AgentEvent } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { littleServer } from './support/little-server.ts';
import { startInTerminal } from './support/pty.ts';
import { listening, served, streamed } from './support/served.ts';

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345';

const toEvents = (stdout: string): AgentEvent[] =>
  stdout
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line));

test('a 429 with Retry-After is told before the wait, without the key in it, and its end as well', async () => {
  let calls = 0;
  const { url, heard } = await listening((_, response) => {
    if (++calls > 1) return streamed(response, ['Here.']);
    const body = JSON.stringify({ error: { message: `Slow down, ${key}` } });
    return response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '2' }).end(body);
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(`${url}/v1`, { apiKey: key }),
  });
  const { child, ended } = start(['desk.ai', '--events', 'hello'], { cwd });
  let seen = '';
  const sawWait = new Promise<number>((resolve) => {
    child.stdout?.on('data', (text) => {
      seen += text;
      if (seen.includes('"model-wait"')) resolve(heard.length);
    });
  });
  // While it waits, nothing more was sent.
  expect(await sawWait).toBe(1);
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(stdout).not.toContain(key);
  const told = toEvents(stdout).filter(({ type }) => ['model-wait', 'model-send', 'model-end'].includes(type));
  expect(told).toMatchObject([
    {
      type: 'model-wait',
      reason: 'retry',
      attempt: 2,
      provider: 'local',
      model: 'm',
      failure: { class: 'rate_limit', status: 429, retryAfterMs: 2_000, message: expect.stringContaining('Slow down') },
    },
    { type: 'model-send', attempt: 2 },
    { type: 'model-end', requests: [{ failure: { status: 429 } }, { status: 'ok' }] },
  ]);
  expect((told[0] as { waitMs?: number }).waitMs).toBeGreaterThanOrEqual(2_000);
});

test('a dead provider gives way to the next, which is named', async () => {
  const { url } = await listening((_, response) => streamed(response, ['Here.']));
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: [dead/m, local/n]', 'maxRetries: 1']),
    '.ai-agent.json': {
      providers: {
        dead: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' },
        local: { type: 'openai-compatible', baseUrl: `${url}/v1` },
      },
    },
  });
  const { stdout } = await run(['desk.ai', '--events', 'hello'], { cwd });
  const told = toEvents(stdout).filter(({ type }) => type === 'model-wait' || type === 'model-send');
  expect(told).toMatchObject([
    { reason: 'fallback', provider: 'local', model: 'n', failure: { class: 'network' } },
    { type: 'model-send', provider: 'local', model: 'n' },
  ]);
});

test('the panel counts the seconds, and a pipe gets a line', async () => {
  const busy = () => {
    let calls = 0;
    return listening((_, response) => {
      if (++calls > 1) return streamed(response, ['Here.']);
      return response.writeHead(429, { 'retry-after': '2' }).end('{"error":{"message":"Slow down"}}');
    });
  };
  const deskAt = (url: string) =>
    folderWith({ 'desk.ai': agentFile(['models: local/m']), '.ai-agent.json': localProvider(`${url}/v1`) });
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd: await deskAt((await busy()).url) });
  const piped = run(['desk.ai', 'hello'], { cwd: await deskAt((await busy()).url) });
  await terminal.shows(/desk .*turn 1 · tries again in [12] s \(rate_limit\)/);
  expect(await terminal.ended).toBe(0);
  expect((await piped).stderr).toMatch(
    /^desk \w+ 1\.0 warn model local\/m is asked again in 2\.\d s, after rate_limit: /m,
  );
});

test('in a pipe, a start of servers and a row that take long are said, once each', async () => {
  const calls = ['a', 'b'].map((text) => ({ name: 'little__nap', input: { text } }));
  const model = await served((request) => (resultsIn(request).length > 0 ? 'Here.' : { calls }));
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'tools: little']),
    '.ai-agent.json': {
      ...localProvider(model.baseUrl),
      mcpServers: { little: { ...littleServer('late'), queue: 'one' } },
      queues: { one: { concurrent: 1 } },
    },
  });
  const [told, quiet] = await Promise.all([
    run(['desk.ai', 'hello'], { cwd }),
    run(['desk.ai', '-q', 'hello'], { cwd }),
  ]);
  expect([told.code, told.stdout]).toEqual([0, 'Here.\n']);
  expect(told.stderr.match(/^starting little…$/gm)).toHaveLength(1);
  expect(told.stderr.match(/tool little__nap waits for its turn$/gm)).toHaveLength(1);
  expect(quiet).toMatchObject({ code: 0, stderr: '' });
}, 20_000);
