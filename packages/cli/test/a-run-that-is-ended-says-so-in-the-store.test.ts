// The promise: however a run ends, the store says how: stopped, cancelled, or interrupted because its process was killed; and it can go on.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { listening, served } from './support/served.ts';

const never = new Promise<never>(() => {});

/** Has a first reply, and then never another one; what it is told after that it answers. */
async function slow() {
  const model = await served((request) => {
    const said = JSON.stringify(request.messages);
    if (said.includes('asked to stop')) return 'What I have.';
    if (/Go on|And now/.test(said)) return `went on after ${request.messages.length} messages`;
    if (said.includes('at once') || resultsIn(request).length > 0) return { until: never };
    return { text: 'I look.', calls: [{ name: 'tool_output', input: { id: 'none' } }] };
  });
  const cwd = await folderWith({
    'slow.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const isWaiting = (requests: number) =>
    expect.poll(() => [model.requests.length, model.inFlight], { interval: 10 }).toEqual([requests, 1]);
  return { cwd, isWaiting };
}

test('Ctrl-C before its first reply: cancelled', async () => {
  const { cwd, isWaiting } = await slow();
  const { child, ended } = start(['slow.ai', 'at once'], { cwd });
  await isWaiting(1);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(await headsIn(cwd)).toMatchObject([{ status: 'cancelled', endedAt: expect.any(Number), title: 'at once' }]);
});

test('Ctrl-C after it: partial, with what it had', async () => {
  const { cwd, isWaiting } = await slow();
  const { child, ended } = start(['slow.ai', 'hello'], { cwd });
  await isWaiting(2);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 5, stdout: 'What I have.\n' });
  const [head] = await headsIn(cwd);
  expect(head).toMatchObject({ status: 'partial' });
  expect((await run(['sessions', 'show', head?.id ?? ''], { cwd })).stdout).toContain('What I have.');
});

test('Ctrl-C while it writes: partial with what it had written, wherever one looks', async () => {
  const delta = { choices: [{ index: 0, delta: { role: 'assistant', content: 'Once upon a time' } }] };
  const { url, heard } = await listening((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...delta })}\n\n`,
    );
  });
  const cwd = await folderWith({
    'slow.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(`${url}/v1`),
  });
  const { child, ended } = start(['slow.ai', 'write'], { cwd });
  await expect.poll(() => heard.length, { timeout: 5_000 }).toBe(1);
  // Its first words are on the way.
  await sleep(1_000);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 5 });
  const [head] = await headsIn(cwd);
  expect(head).toMatchObject({ status: 'partial' });
  for (const word of ['show', 'tree']) {
    const shown = (await run(['sessions', word, head?.id ?? ''], { cwd })).stdout;
    expect(shown).toMatch(/^slow: partial/m);
    expect(shown).not.toContain('Interrupted by SIGINT');
  }
});

test('twice, quickly: cancelled, whatever else', async () => {
  const { cwd, isWaiting } = await slow();
  const { child, ended } = start(['slow.ai', 'at once'], { cwd });
  await isWaiting(1);
  child.kill('SIGINT');
  await sleep(100);
  child.kill('SIGINT');
  await ended;
  // One that is nearly gone hears no signal any more and ends by it, which shells tell as 130 too.
  expect(child.exitCode ?? child.signalCode).toBeOneOf([130, 'SIGINT']);
  expect(await headsIn(cwd)).toMatchObject([{ status: 'cancelled' }]);
});

test('killed: interrupted, as soon as anybody looks; and it goes on, with a message or without', async () => {
  const { cwd, isWaiting } = await slow();
  const { child, ended } = start(['slow.ai', 'hello'], { cwd });
  await isWaiting(2);
  // What was told until now is in the store by then.
  await expect.poll(async () => (await run(['sessions', 'list', '--json'], { cwd })).stdout).toContain('"running"');
  child.kill('SIGKILL');
  await ended;
  const listed = await run(['sessions', 'list', '--status', 'interrupted'], { cwd });
  expect(listed.stdout).toContain('interrupted');
  const [head] = await headsIn(cwd);
  const id = head?.id ?? '';
  const shown = (await run(['sessions', 'show', id], { cwd })).stdout;
  expect(shown).toMatch(/slow: interrupted/);
  expect(shown).toContain(`Go on with it: ai-agent sessions resume ${id} "…"`);
  expect(await run(['sessions', 'resume', id], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^went on after/),
  });
  expect(await run(['sessions', 'resume', id, 'And', 'now?'], { cwd })).toMatchObject({ code: 0 });
  expect(await headsIn(cwd)).toMatchObject([{ id, status: 'completed', resumptions: 2 }]);
  for (const word of ['show', 'tree']) {
    const later = (await run(['sessions', word, id], { cwd })).stdout;
    expect(later).toMatch(/^Round 1: hello\nslow: interrupted/m);
    expect(later).not.toContain('running');
  }
});

test('killed, of an agent that takes JSON: without a message it is asked the same once more', async () => {
  let isSlow = true;
  const model = await served(({ messages }) => (isSlow ? { until: never } : `heard ${JSON.stringify(messages)}`));
  const schema = '{ type: object, properties: { city: { type: string } }, required: [city] }';
  const cwd = await folderWith({
    'json.ai': agentFile(['models: local/m', `input: { format: json, schema: ${schema} }`]),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const { child, ended } = start(['json.ai', '{"city":"Bonn"}'], { cwd });
  await expect.poll(() => model.inFlight, { interval: 10 }).toBe(1);
  await expect.poll(async () => (await headsIn(cwd)).length).toBe(1);
  child.kill('SIGKILL');
  await ended;
  isSlow = false;
  const [head] = await headsIn(cwd);
  const words = await run(['sessions', 'resume', head?.id ?? '', 'Go', 'on'], { cwd });
  expect(words).toMatchObject({ code: 4, stderr: expect.stringContaining('The input of json does not fit') });
  const { code, stdout } = await run(['sessions', 'resume', head?.id ?? ''], { cwd });
  expect([code, stdout.match(/Bonn/g)]).toEqual([0, ['Bonn', 'Bonn']]);
});
