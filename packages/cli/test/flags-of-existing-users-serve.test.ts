// The promise: --agent, --api, --openai-completions, --anthropic-completions and how many at once of an existing set-up serve without the word for it, one way in on each port.

import { expect, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

async function aTeam(script: Parameters<typeof served>[0] = promptIn) {
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/other']),
    'child.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  return { model, cwd };
}

test.each([
  ['--agent desk.ai --agent child.ai --api 0 --api 0 --models local/m --verbose'],
  ['--api=0 --agent=desk.ai @child.ai --api 0'],
  ['desk.ai child.ai --api 0 --api 0'],
  ['serve --agent desk.ai child.ai --api 0 --api 0'],
])('%s', async (line) => {
  const { model, cwd } = await aTeam();
  const server = await serving(line.split(' '), { cwd });
  expect(server.agents).toEqual(['desk', 'child']);
  expect(new Set(server.ports).size).toBe(2);
  const answers = await Promise.all(
    server.ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/v1/desk?q=hi`)).text()),
  );
  expect(answers).toEqual(['hi', 'hi']);
  expect(model.requests).toHaveLength(2);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('one hall is behind all ports: --api-concurrency bounds them together', async () => {
  const { model, cwd } = await aTeam(() => ({ latencyMs: 300, text: 'done' }));
  const server = await serving('--agent child.ai --api 0 --api 0 --api-concurrency 1'.split(' '), { cwd });
  const all = server.ports.flatMap((port) => [port, port]);
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, model.inFlight);
  }, 10);
  const replies = await Promise.all(all.map((port) => fetch(`http://127.0.0.1:${port}/v1/child?q=hi`)));
  clearInterval(looking);
  expect([replies.map(({ status }) => status), most]).toEqual([[200, 200, 200, 200], 1]);
});

const asked = { model: 'child', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };

const apis = [
  ['--openai-completions', '/v1/chat/completions', { choices: [{ message: { content: 'hi' } }] }],
  ['--anthropic-completions', '/v1/messages', { content: [{ type: 'text', text: 'hi' }] }],
] as const;

const post = (port: number | undefined, route: string) =>
  fetch(`http://127.0.0.1:${port}${route}`, {
    method: 'POST',
    body: JSON.stringify(asked),
    headers: { 'content-type': 'application/json' },
  });

test.each(apis)('%s has the agents as models', async (flag, route, reply) => {
  const { cwd } = await aTeam();
  const lines = [`--agent child.ai ${flag} 0 ${flag} 0`, `${flag}=0 @child.ai desk.ai`, `serve child.ai ${flag} 0`];
  for (const line of lines) {
    const server = await serving(line.split(' '), { cwd });
    expect(server.ports).toHaveLength(line.split(flag).length - 1);
    for (const port of server.ports) expect(await (await post(port, route)).json()).toMatchObject(reply);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  }
});

test.each(apis)('%s-concurrency bounds those alone that come that way, on every port', async (flag, route) => {
  const { model, cwd } = await aTeam(() => ({ latencyMs: 300, text: 'done' }));
  const line = `serve child.ai --port 0 ${flag} 0 ${flag}-concurrency 1`;
  const server = await serving(line.split(' '), { cwd });
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, model.inFlight);
  }, 10);
  const replies = await Promise.all(server.ports.flatMap((port) => [post(port, route), post(port, route)]));
  expect([replies.map(({ status }) => status), most]).toEqual([[200, 200, 200, 200], 1]);
  await Promise.all([1, 2, 3].map(() => server.get('/v1/child?q=hi')));
  clearInterval(looking);
  expect(most).toBeGreaterThan(1);
});

test('a prompt is no agent, and a port has to be one', async () => {
  const { cwd } = await aTeam();
  const each = [
    ['--agent', 'desk.ai', '--api', '0', 'Tell me the time.'],
    ['--agent', 'desk.ai', '--api', 'http'],
    ['--agent', 'desk.ai', '--agent', 'child.ai'],
  ];
  const ended = await Promise.all(each.map((args) => run(args, { cwd })));
  expect(ended.map(({ code }) => code)).toEqual([4, 4, 4]);
  expect(ended[0]?.stderr).toContain('there is no agent at Tell me the time.');
  expect(ended[1]?.stderr).toContain('--api must be a whole number from 0 to 65535');
  expect(ended[2]?.stderr).toContain('To serve several, say where: --api 8080');
});
