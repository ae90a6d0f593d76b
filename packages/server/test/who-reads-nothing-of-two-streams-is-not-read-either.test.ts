// The promise: over two streams nothing more is read while too much waits to be read at the other end, and an end is an end all the same.

import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { serveMcpOver } from '@ai-agent/server';
import { expect, onTestFinished, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';

/** Takes what it is given, and hands nothing on until it is let. */
function slowReader() {
  let text = '';
  let goOn: (() => void) | undefined;
  let isLet = false;
  const output = new Writable({
    decodeStrings: false,
    highWaterMark: 1_000,
    write(piece: string, _encoding, done) {
      text += piece;
      if (isLet) done();
      else goOn = done;
    },
  });
  const read = () => {
    isLet = true;
    goOn?.();
  };
  const count = () => text.split('\n').length - 1;
  return { output, read, count };
}

async function open(output: Writable) {
  const input = new PassThrough();
  const hall = hallOf([agentOf('desk', () => ({ text: 'Done.' }))]);
  const served = await serveMcpOver(hall, { input, output, version: '1', graceMs: 20, maxWaitingBytes: 10_000 });
  onTestFinished(served.close);
  return { input, ended: served.ended };
}

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const asks = 2_000;
const list = (id: number) => line({ id, method: 'tools/list', params: { _meta: envelope } });

test('what waits is bounded, and all is answered once it is read', async () => {
  const { output, read, count } = slowReader();
  const { input } = await open(output);
  for (let id = 1; id <= asks; id++) {
    input.write(list(id));
    await setImmediate();
  }
  await expect.poll(() => output.writableLength).toBeGreaterThan(10_000);
  await expect.poll(() => input.isPaused()).toBe(true);
  expect(output.writableLength).toBeLessThan(500_000);
  expect(input.readableLength + input.writableLength).toBeGreaterThan(0);
  read();
  await expect.poll(count).toBe(asks);
});

test('whoever listens for changes and reads nothing does not keep the end away', async () => {
  const { output } = slowReader();
  const { input, ended } = await open(output);
  const listen = line({
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: envelope },
  });
  input.end(listen);
  await ended;
});
