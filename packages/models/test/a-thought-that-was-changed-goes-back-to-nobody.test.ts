// A signature holds for the very words it was given for: a thought from which a secret was struck out is not sent again.

import { ask, defineTool } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { anthropic } from './support/wires/anthropic.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
const calls = [{ id: 'toolu_1', name: 'look', input: {} }];

async function secondRequest(thought: string) {
  const first = { text: 'Let me look.', reasoning: { text: thought, signature: 'c2lnbmVk' }, calls };
  const { model, requests } = await serveWire(anthropic, [first, { text: 'done' }]);
  const agent = { name: 'a', instructions: 'Go.', model, tools: [look] };
  const envOverlay = { DATABASE_PASSWORD: 'correct-horse-battery' };
  await ask(agent, 'go', { ports: fakePorts(), envOverlay });
  return JSON.stringify(requests[1]?.body);
}

test('one with a secret in it', async () => {
  const body = await secondRequest('The password is correct-horse-battery, it seems.');
  expect(body).not.toContain('c2lnbmVk');
  expect(body).not.toContain('The password is');
  expect(body).toContain('toolu_1');
});

test('any other goes back as it came', async () => {
  expect(await secondRequest('Nothing to hide.')).toContain('"thinking":"Nothing to hide.","signature":"c2lnbmVk"');
});

test('one that led to nothing is not sent to Anthropic, which would refuse it', async () => {
  const { model, requests } = await serveWire(anthropic, [
    { reasoning: { text: 'Hm.', signature: 'c2lnbmVk' }, finish: 'stop' },
    { text: 'done' },
  ]);
  const outcome = await ask({ name: 'a', instructions: 'Go.', model }, 'go', { ports: fakePorts() });
  expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
  expect(JSON.stringify(requests[1]?.body)).not.toContain('c2lnbmVk');
});
