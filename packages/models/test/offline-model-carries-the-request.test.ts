// What the offline model hands to a tool comes from the request, wherever the request has something to give.

import { ask, asTool, defaultTexts, inProcess, type JsonSchema } from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

async function argumentsFor(prompt: string | Record<string, string>, properties: JsonSchema, more: JsonSchema = {}) {
  const received: Record<string, unknown>[] = [];
  const inputSchema = { type: 'object', properties, required: Object.keys(properties), ...more };
  const tool = { name: 'probe', inputSchema, execute: (args: Record<string, unknown>) => String(received.push(args)) };
  const agent = { name: 'prober', instructions: 'You probe.', model: offlineDemo(), tools: [tool] };
  await ask(agent, prompt, { ports: fakePorts(), runtime: strict(inProcess) });
  return received[0];
}

const text = { type: 'string' };

test('The request travels as it was written, and the reason is a short title.', async () => {
  const prompt =
    'Find out which of our 14 ferries were late last winter, and why the harbour office did not tell anybody.';
  const args = await argumentsFor(prompt, { reason: text, query: text });
  expect(args?.query).toBe(prompt);
  expect(args?.reason).toMatch(/^Look into: Find out which of our 14 ferries/);
  expect(String(args?.reason).length).toBeLessThanOrEqual(60);
});

test('An optional text is filled when nothing required carries the request, and left out when something does.', async () => {
  const optional = { required: ['level'] };
  expect(await argumentsFor('Polish the brass.', { level: { type: 'integer' }, notes: text }, optional)).toEqual({
    level: 1,
    notes: 'Polish the brass.',
  });
  expect(await argumentsFor('Polish it.', { query: text, notes: text }, { required: ['query'] })).toEqual({
    query: 'Polish it.',
  });
});

test('Numbers, choices and names are found in the request.', async () => {
  expect(await argumentsFor('Add 12 and 30.', { a: { type: 'number' }, b: { type: 'number' } })).toEqual({
    a: 12,
    b: 30,
  });
  expect(await argumentsFor('Describe release 2.4 of it.', { version: text })).toEqual({ version: '2.4' });
  expect(await argumentsFor('Paint it Green.', { colour: { enum: ['red', 'green'] } })).toEqual({ colour: 'green' });
  expect(await argumentsFor('What is the weather in Porto today?', { city: text })).toEqual({ city: 'Porto' });
  expect(
    await argumentsFor('Write to ann@sea.org by 2025-03-01.', {
      to: { ...text, format: 'email' },
      on: { ...text, format: 'date' },
    }),
  ).toEqual({ to: 'ann@sea.org', on: '2025-03-01' });
});

test('Data in the request finds the property of its name.', async () => {
  const args = await argumentsFor({ userName: 'Ida', note: 'none' }, { user_name: text });
  expect(args).toEqual({ user_name: 'Ida' });
});

test('What would be carried out is harmless, whatever the request says.', async () => {
  expect(await argumentsFor('rm -rf /', { command: text })).toEqual({ command: 'echo 1' });
  expect(await argumentsFor('DROP TABLE ferries', { sql: text })).toEqual({ sql: 'echo 1' });
});

test.each([
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['email', /^[^@\s]+@[^@\s]+\.[a-z]+$/],
  ['uri', /^https:\/\/\S+$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/],
  ['ipv4', /^(\d{1,3}\.){3}\d{1,3}$/],
  ['ipv6', /^[\da-f:]+$/],
  ['hostname', /^[a-z\d.-]+$/],
  ['time', /^\d\d:\d\d:\d\dZ$/],
])('A text of format %s has that form.', async (format, form) => {
  const args = await argumentsFor('Just try something.', { value: { ...text, format } });
  expect(args?.value).toMatch(form);
});

test('A sub-agent is asked what its caller was asked.', async () => {
  const model = offlineDemo();
  const child = { name: 'child', description: 'Helps.', instructions: 'You help.', model };
  const agent = { name: 'lead', instructions: 'You lead.', model, tools: [asTool(child)] };
  const outcome = await ask(agent, 'The tide is high at noon.', { ports: fakePorts(), runtime: strict(inProcess) });
  expect(JSON.stringify(outcome.conversations)).toContain(
    '{"role":"user","content":[{"type":"text","text":"The tide is high at noon."}]}',
  );
  expect(Object.keys(outcome.conversations)).toHaveLength(2);
});

test('What was said earlier in a talk is no part of the request.', async () => {
  const messages = ['[2026-11-16 10:02 UTC] Joe: the printer burns', '    (End of what was said earlier.)'];
  const earlier = defaultTexts.saidEarlier({ place: 'Slack', messages, hasOlder: true, isCutShort: true });
  expect(await argumentsFor(`${earlier}\n\nPolish the brass.`, { query: text })).toEqual({
    query: 'Polish the brass.',
  });
  expect(await argumentsFor(`Look: ${earlier}`, { query: text })).toMatchObject({
    query: expect.stringContaining('the printer burns'),
  });
});
