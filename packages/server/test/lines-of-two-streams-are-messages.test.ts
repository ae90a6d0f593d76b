// The promise: over two streams a line is a message, however its bytes arrive; one that is too long costs nothing but itself, and the end is waited for
// only as long as somebody has no answer.

import { PassThrough } from 'node:stream';
import type { Step } from '@ai-agent/core/testing';
import { serveMcpOver } from '@ai-agent/server';
import { expect, onTestFinished, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { gate, hallOf } from './support/house.ts';

interface Message {
  readonly id?: string | number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

async function open({ maxMessageBytes = 500, graceMs = 5_000, step = { text: 'Done.' } as Step } = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const hall = hallOf([agentOf('desk', () => step)]);
  const problems: string[] = [];
  const onProblem = (sentence: string) => void problems.push(sentence);
  const { ended, close } = await serveMcpOver(hall, {
    input,
    output,
    version: '1.0.0',
    onProblem,
    maxMessageBytes,
    graceMs,
  });
  onTestFinished(close);
  let text = '';
  output.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  const all = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Message]));
  const answer = async (id: string | number) => {
    await expect.poll(() => all().some((message) => message.id === id)).toBe(true);
    return all().find((message) => message.id === id);
  };
  return { hall, input, output, problems, ended, all, answer };
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const callOf = (id: string | number, text: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'desk', arguments: { text } },
});

const lines = (...messages: readonly object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

test('byte by byte, letters that take several bytes included', async () => {
  const { input, answer } = await open({ step: { text: 'Grüße — 你好' } });
  for (const byte of Buffer.from(lines(initialize, callOf('größe', 'Wo ist 你?')))) input.write(Buffer.of(byte));
  expect(await answer('größe')).toMatchObject({ result: { content: [{ text: 'Grüße — 你好' }] } });
});

test.each([
  [
    'at its beginning',
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":1,"text":"${'x'.repeat(600)}"}}`,
    7,
  ],
  ['behind its method', `{"method":"tools/call","id":"seven","params":{"text":"${'x'.repeat(600)}"}}`, 'seven'],
  ['at its end', `{"method":"tools/call","params":{"id":1,"text":"${'x'.repeat(600)}"},"jsonrpc":"2.0","id":7}`, 7],
  ['nowhere', `{"method":"tools/call","params":{"id":1,"text":"${'x'.repeat(600)}","id":2}}`, null],
  ['in a text alone', `{"method":"tools/call","params":{"text":"${'x'.repeat(600)}\\"id\\":7}"}}`, null],
])('a line that is too long is refused under the id that stands %s', async (_, line, id) => {
  const { input, all, answer, problems } = await open();
  for (let i = 0; i < line.length; i += 100) input.write(line.slice(i, i + 100));
  input.write(`\n${lines(initialize)}`);
  await answer(0);
  expect(all()[0]).toMatchObject({ id, error: { code: -32_600 } });
  expect(problems).toEqual(['MCP on stdin: a message is longer than 500 bytes.']);
});

test('a last line without an end is a message as well', async () => {
  const { input, all, ended } = await open();
  input.end(lines(initialize).trimEnd());
  await ended;
  expect(all()).toMatchObject([{ id: 0, result: {} }]);
});

test('the end is waited for while a request has no answer, and not a moment longer', async () => {
  const { opened, open: letGo } = gate();
  const { input, all, ended, hall } = await open({ step: { text: 'Done.', until: opened } });
  input.end(lines(initialize, callOf(1, 'go')));
  await expect.poll(() => hall.running).toBe(1);
  letGo();
  await ended;
  expect(all().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'Done.' }] } });
});

test('a request that its client has cancelled, and one that only listens, are not waited for', async () => {
  const { opened, open: letGo } = gate();
  onTestFinished(letGo);
  const { input, ended, hall } = await open({ graceMs: 60_000, step: { text: 'Done.', until: opened } });
  input.write(lines(initialize, callOf(1, 'go')));
  await expect.poll(() => hall.running).toBe(1);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  input.end(lines(cancelled, { jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: {} }));
  await ended;
});

test('what has no answer when the time is over is cancelled', async () => {
  const { input, ended, hall } = await open({ graceMs: 20, step: { until: new Promise(() => {}) } });
  input.write(lines(initialize, callOf(1, 'go')));
  await expect.poll(() => hall.running).toBe(1);
  input.end();
  await ended;
  await expect.poll(() => hall.running).toBe(0);
});

test('an output that nobody reads any more cancels what runs, and nothing is thrown', async () => {
  const { input, output, ended, hall, problems } = await open({ step: { until: new Promise(() => {}) } });
  input.write(lines(initialize, callOf(1, 'go')));
  await expect.poll(() => hall.running).toBe(1);
  output.destroy(new Error('EPIPE'));
  await ended;
  await expect.poll(() => hall.running).toBe(0);
  expect(problems).toEqual(['Nobody reads stdout any more: EPIPE']);
});

test('two calls under one id both end with the streams', async () => {
  const held = gate();
  onTestFinished(held.open);
  const { hall, input, ended } = await open({ step: { text: 'Late.', until: held.opened }, graceMs: 20 });
  input.write(lines(initialize, callOf(1, 'one'), callOf(1, 'two')));
  await expect.poll(() => hall.running).toBe(2);
  input.end();
  await ended;
  await expect.poll(() => hall.running).toBe(0);
});
