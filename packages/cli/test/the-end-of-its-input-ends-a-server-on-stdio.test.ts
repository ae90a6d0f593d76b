// The promise: when its client has gone, a server on stdio ends by itself, with all that it started, and soon; what was nearly done is answered.

import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { agentFile, command, folderWith, localProvider } from './support/command.ts';
import { littleServer, processesWith } from './support/little-server.ts';
import { environmentIn, initialize, initialized, type OnStdio, onStdio, toolCall } from './support/on-stdio.ts';
import { completion, listening, served } from './support/served.ts';

let count = 0;

/** An agent whose server can be known by its mark, called once. */
async function aDesk(script: Parameters<typeof served>[0], ...args: readonly string[]) {
  const mark = `on-stdio-${process.pid}-${count++}`;
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'description: Answers.', 'tools: little']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), mcpServers: { little: littleServer(mark) } },
  });
  const isGone = () => expect.poll(() => processesWith(mark), { timeout: 5_000 }).toBe(0);
  return { cwd, model, mark, isGone, args: ['serve', 'desk.ai', '--mcp', 'stdio', ...args] };
}

async function greeted(args: readonly string[], cwd: string) {
  const server = onStdio(args, { cwd });
  server.send(initialize);
  await server.answer('hello');
  server.send(initialized);
  return server;
}

const slow = { latencyMs: 30_000, text: 'too late' };

/** A third of what its model takes: that is not waited for, however busy the machine is. */
const soonMs = 10_000;

/** The exit code, when it came soon; else what the server said until then. */
async function endedSoon({ ended, stderr }: Pick<OnStdio, 'ended' | 'stderr'>): Promise<number | string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`late: ${stderr()}`), soonMs);
  });
  const came = await Promise.race([ended, late]);
  clearTimeout(timer);
  return came;
}

test('with nothing to do it ends at once, exit 0', async () => {
  const { cwd, args } = await aDesk(['never']);
  const server = await greeted(args, cwd);
  server.child.stdin?.end();
  expect(await endedSoon(server)).toBe(0);
});

test('when there was no input at all, too', async () => {
  const { cwd, args } = await aDesk(['never']);
  const server = onStdio(args, { cwd });
  server.child.stdin?.end();
  expect(await server.ended).toBe(0);
  expect(server.lines()).toEqual([]);
});

test('a request that is answered within a second has its answer', async () => {
  const go = Promise.withResolvers<void>();
  const { url, heard } = await listening(async (_, response) => {
    await go.promise;
    completion(response, 'in time');
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'description: Answers.']),
    '.ai-agent.json': localProvider(url),
  });
  const server = await greeted(['serve', 'desk.ai', '--mcp', 'stdio'], cwd);
  server.send(toolCall(1, 'desk', 'hi'));
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(1);
  server.child.stdin?.end(go.resolve);
  expect(await server.ended).toBe(0);
  expect(JSON.parse(server.lines()[1] ?? '{}')).toMatchObject({ id: 1, result: { content: [{ text: 'in time' }] } });
});

test('one that takes longer is cancelled, down to the request of its model', async () => {
  const { cwd, args, model, isGone } = await aDesk(() => slow);
  const server = await greeted(args, cwd);
  server.send(toolCall(1, 'desk', 'hi'));
  await expect.poll(() => model.inFlight, { timeout: 10_000 }).toBe(1);
  server.child.stdin?.end();
  expect(await endedSoon(server)).toBe(0);
  expect([model.aborted, model.inFlight]).toEqual([1, 0]);
  expect(server.lines()).toHaveLength(1);
  expect(server.stderr()).toMatch(/mcp desk cancelled/);
  await isGone();
});

test('a client that is killed leaves nothing behind: neither the server, nor what that started', async () => {
  const { cwd, args, model, mark, isGone } = await aDesk(() => slow);
  // A client in a process of its own, which does nothing but hold the two ends.
  const lines = [initialize, initialized, toolCall(1, 'desk', 'hi')].map((message) => JSON.stringify(message));
  const program = `
    const child = require('node:child_process').spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.write(${JSON.stringify(`${lines.join('\n')}\n`)});
    child.stdout.resume();
    console.log(child.pid);`;
  const client = spawn(process.execPath, ['-e', program], { cwd, env: environmentIn({ cwd }) });
  onTestFinished(() => void client.kill('SIGKILL'));
  const pid = await new Promise<number>((resolve) => client.stdout.once('data', (text) => resolve(Number(text))));
  await expect.poll(() => model.inFlight, { timeout: 10_000 }).toBe(1);
  expect(processesWith(mark)).toBe(1);
  client.kill('SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  expect(model.aborted).toBe(1);
  await isGone();
});

test('when nobody reads stdout any more, everything is cancelled and it ends', async () => {
  const { cwd, args, model, isGone } = await aDesk(() => slow);
  const server = await greeted(args, cwd);
  server.send(toolCall(1, 'desk', 'hi'));
  await expect.poll(() => model.inFlight, { timeout: 10_000 }).toBe(1);
  server.child.stdout?.destroy();
  // Several: a process that another test is just starting may hold the closed end for a moment.
  const pings = setInterval(() => server.send({ jsonrpc: '2.0', id: 2, method: 'ping' }), 100);
  onTestFinished(() => clearInterval(pings));
  expect(await endedSoon(server)).toBe(0);
  expect(model.aborted).toBe(1);
  await isGone();
});

test('SIGTERM lets a run end and has its answer written; a second one cancels', async () => {
  const gentle = await aDesk([{ latencyMs: 1_500, text: 'in time' }]);
  const server = await greeted(gentle.args, gentle.cwd);
  server.send(toolCall(1, 'desk', 'hi'));
  await expect.poll(() => gentle.model.inFlight, { timeout: 10_000 }).toBe(1);
  server.child.kill('SIGTERM');
  expect((await server.answer(1)).result).toMatchObject({ content: [{ text: 'in time' }] });
  expect(await server.ended).toBe(0);

  const hasty = await aDesk(() => slow);
  const other = await greeted(hasty.args, hasty.cwd);
  other.send(toolCall(1, 'desk', 'hi'));
  await expect.poll(() => hasty.model.inFlight, { timeout: 10_000 }).toBe(1);
  other.child.kill('SIGTERM');
  await expect.poll(other.stderr).toContain('Stopping: 1 run gets up to 30 s.');
  // The same signal within a moment counts once.
  await new Promise((resolve) => setTimeout(resolve, 100));
  other.child.kill('SIGTERM');
  expect(await endedSoon(other)).toBe(0);
  expect(hasty.model.aborted).toBe(1);
});

test('whoever came by a port as well is not cut off', async () => {
  const { cwd, args, model } = await aDesk([{ latencyMs: 2_000, text: 'in time' }], '--api', '0', '--json');
  const server = await greeted(args, cwd);
  await expect.poll(server.stderr).toContain('"url"');
  const { url } = JSON.parse(
    server
      .stderr()
      .split('\n')
      .find((line) => line.startsWith('{"url"')) ?? '{}',
  );
  const asked = fetch(`${url}/v1/desk?q=hi`).then((reply) => reply.text());
  await expect.poll(() => model.inFlight, { timeout: 10_000 }).toBe(1);
  server.child.stdin?.end();
  expect(await asked).toBe('in time');
  expect(await server.ended).toBe(0);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
