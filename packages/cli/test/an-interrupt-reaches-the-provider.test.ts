// A signal closes the requests to the models: Ctrl-C all but the last word's, a second one and the other signals every one.

import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, start } from './support/command.ts';
import { listening, served } from './support/served.ts';

const slowDesk = async (baseUrl: string) =>
  folderWith({ 'desk.ai': agentFile(['models: local/m']), '.ai-agent.json': localProvider(baseUrl) });

test.each(['SIGTERM', 'SIGHUP'] as const)('%s cancels the run, and the request is closed', async (signal) => {
  const model = await served([{ latencyMs: 30_000, text: 'too late' }]);
  const { child, ended } = start(['desk.ai', '--json', 'hello'], { cwd: await slowDesk(model.baseUrl) });
  await expect.poll(() => model.inFlight, { timeout: 10_000 }).toBe(1);
  child.kill(signal);
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'cancelled',
    failure: { class: 'cancelled', message: `Interrupted by ${signal}.` },
  });
  expect(stderr).toContain(`cancelled (cancelled): Interrupted by ${signal}.\nWhat to do: `);
  expect(stderr).toContain('FIN model desk local/m: 1 call (1 stopped), ');
  await expect.poll(() => [model.inFlight, model.aborted]).toEqual([0, 1]);
});

test('SIGINT stops a run that has come to something: the request is closed, and the last word asked for', async () => {
  const model = await served(({ system, messages }) => {
    if (system.includes('quick')) return 'done';
    if (JSON.stringify(messages).includes('asked to stop')) return 'what I have';
    if (messages.length > 1) return { latencyMs: 30_000, text: 'too late' };
    return { calls: [{ name: 'agent__quick', input: { text: 'go', reason: 'r' } }] };
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: quick.ai']),
    'quick.ai': agentFile(['models: local/m', 'description: quick'], 'You are quick.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const { child, ended } = start(['desk.ai', '--json', 'hello'], { cwd });
  await expect.poll(() => [model.requests.length, model.inFlight], { timeout: 10_000 }).toEqual([3, 1]);
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'partial', limit: 'stop', text: 'what I have' });
  expect(stderr).toContain('Stopping with what there is. Ctrl-C again ends it at once.\n');
  expect(stderr).toContain('FIN model desk local/m: 3 calls (1 stopped), ');
  await expect.poll(() => [model.inFlight, model.aborted]).toEqual([0, 1]);
});

test('a sub-agent that works is cancelled with its parent, and its request is closed', async () => {
  const call = { calls: [{ name: 'agent__slow', input: { text: 'go', reason: 'r' } }] };
  const model = await served((request) => (request.system.includes('slow') ? { latencyMs: 30_000 } : call));
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: slow.ai']),
    'slow.ai': agentFile(['models: local/m', 'description: slow'], 'You are slow.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const { child, ended } = start(['desk.ai', '--json', 'hello'], { cwd });
  await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(2);
  child.kill('SIGTERM');
  const { code, stdout } = await ended;
  expect(code).toBe(130);
  const { tree } = JSON.parse(stdout);
  expect([tree.status, tree.turns[0].operations[1].session.status]).toEqual(['cancelled', 'cancelled']);
  await expect.poll(() => [model.inFlight, model.aborted]).toEqual([0, 1]);
});

/** A program that is told everything and ends by nothing. */
async function deafProgram() {
  const source = pathToFileURL(join(import.meta.dirname, '../src/terminal.ts')).href;
  const program = `
    import { processTerminal } from '${source}';
    processTerminal().onInterrupt({
      stop: () => console.log('stop'),
      cancel: (reason) => console.log(reason),
      abandon: () => console.log('abandoned'),
    });
    setInterval(() => {}, 1000);
    console.log('ready');`;
  const args = ['--input-type=module', '-e', program];
  const { child, ended } = start(args, { cwd: await folderWith({}), program: process.execPath });
  const said = () => once(child.stdout as NodeJS.ReadableStream, 'data');
  await said();
  /** Later than what counts as the same signal. */
  const kill = async (signal: 'SIGINT' | 'SIGTERM') => {
    child.kill(signal);
    await said();
    await new Promise((resolve) => setTimeout(resolve, 250));
  };
  return { child, kill, ended };
}

test('a run that hangs after it was cancelled is not waited for, and a third Ctrl-C ends it at once', async () => {
  const { child, kill, ended } = await deafProgram();
  await kill('SIGINT');
  await kill('SIGINT');
  const askedAt = performance.now();
  child.kill('SIGINT');
  const stdout = 'ready\nstop\nInterrupted by SIGINT.\nabandoned\n';
  expect(await ended).toMatchObject({ code: 130, stdout });
  expect(performance.now() - askedAt).toBeLessThan(600);
});

test('nor is it without one, for more than a second', async () => {
  const { kill, ended } = await deafProgram();
  await kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 130, stdout: 'ready\nInterrupted by SIGTERM.\nabandoned\n' });
});

test('events that nobody reads any more are no reason to go on paying', async () => {
  const { url, heard } = await listening(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const piece = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const event = `data: ${JSON.stringify({ ...piece, choices: [{ index: 0, delta: { content: 'more ' } }] })}\n\n`;
    const timer = setInterval(() => response.write(event), 5);
    response.once('close', () => clearInterval(timer));
  });
  const cwd = await slowDesk(url);
  const { child, ended } = start(['desk.ai', '--events', 'hello'], { cwd });
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(1);
  child.stdout?.destroy();
  await expect(ended).rejects.toThrow();
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect(code).toBe(130);
});
