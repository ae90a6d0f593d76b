// What nobody answers is not declared, and refused when it is asked all the same.

import { expect, test } from 'vitest';
import type { Answers } from '../src/mcp/link.ts';
import { byHand, callOptions, eventually, never, openConnections, textOf } from './support/mcp.ts';

const question = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 };

async function connect(answers: Answers) {
  const { server, facts } = byHand({ isRecording: true });
  const { link } = await openConnections().lease(server, { signal: never(), answers });
  const ask = async (method: string, params: object = {}) =>
    JSON.parse(textOf(await link.call('ask', { method, params: JSON.parse(JSON.stringify(params)) }, callOptions())));
  const declared = facts().find(({ method }) => method === 'initialize')?.params as { capabilities: object };
  return { ask, link, facts, capabilities: declared.capabilities };
}

test('nothing', async () => {
  const { ask, capabilities } = await connect({});
  expect(capabilities).toEqual({});
  for (const [method, params] of [
    ['elicitation/create', question],
    ['sampling/createMessage', prompt],
    ['roots/list', {}],
  ] as const)
    expect(await ask(method, params)).toMatchObject({ error: { code: -32601 } });
});

test('a question for a person', async () => {
  const asked: unknown[] = [];
  const { ask, capabilities } = await connect({
    elicit: async (params) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: 'Ada' } };
    },
  });
  expect(Object.keys(capabilities)).toEqual(['elicitation']);
  expect(await ask('elicitation/create', question)).toEqual({ action: 'accept', content: { name: 'Ada' } });
  expect(asked).toEqual(['Who?']);
});

test('a question for a model, which ends with the call that it was asked in', async () => {
  let heard: AbortSignal | undefined;
  const { link, facts, capabilities } = await connect({
    sample: (_, signal) => {
      heard = signal;
      return new Promise(() => {});
    },
  });
  expect(Object.keys(capabilities)).toEqual(['sampling']);
  const call = link.call('ask', { method: 'sampling/createMessage', params: prompt }, callOptions());
  await eventually(() => heard !== undefined);
  process.kill(facts()[0]?.pid as number, 'SIGKILL');
  await expect(call).rejects.toMatchObject({ class: 'network' });
  expect(heard?.aborted).toBe(true);
});

test('roots', async () => {
  const { ask, capabilities } = await connect({ roots: [{ uri: 'file:///work', name: 'work' }] });
  expect(Object.keys(capabilities)).toEqual(['roots']);
  expect(await ask('roots/list')).toEqual({ roots: [{ uri: 'file:///work', name: 'work' }] });
});
