// The promise: --agent, --api and --api-concurrency of an existing set-up serve without the word for it, REST alone on each port.

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
