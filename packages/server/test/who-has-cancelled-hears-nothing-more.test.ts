// The promise: of a call that was cancelled nothing more is said, no result and no progress that waited for its turn.

import { PassThrough } from 'node:stream';
import { defineTool } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { Hall, serveMcpOver } from '@ai-agent/server';
import { expect, onTestFinished, test } from 'vitest';
import { agentOf, lastResult } from './contract/people.ts';
import { gate } from './support/house.ts';

test('though there was more to say than a client can take', async () => {
  const clock = new FakeClock();
  const held = gate();
  const work = defineTool({
    name: 'work',
    description: 'works',
    inputSchema: { type: 'object' },
    execute: async (_args, { progress }) => {
      for (let step = 1; step <= 40; step++) progress(`step ${step}`);
      await held.opened;
      return 'done';
    },
  });
  const agent = agentOf('worker', (request) => lastResult(request) ?? { calls: [{ name: 'work', input: {} }] }, {
    tools: [work],
  });
  const hall = new Hall({ agents: () => [{ name: 'worker', agent }], ports: fakePorts({ clock }) });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { close } = await serveMcpOver(hall, { input, output, version: '1.0.0' });
  onTestFinished(close);
  let text = '';
  output.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  const params = { name: 'worker', arguments: { text: 'Go.' }, _meta: { progressToken: 1 } };
  send({ id: 2, method: 'tools/call', params });
  await expect.poll(() => text).toContain('step 8');
  const before = text;
  send({ method: 'notifications/cancelled', params: { requestId: 2 } });
  await expect.poll(() => hall.running).toBe(0);
  clock.advance(60_000);
  send({ id: 3, method: 'ping' });
  await expect.poll(() => text).toContain('"id":3');
  expect(text.slice(before.length).trim().split('\n')).toHaveLength(1);
  held.open();
});
