// The promise: where nothing that is asked of a store ever comes back, questions are asked and answered all the same, through every door, and the server ends.

import type { NoteStore, PauseStore } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { anthropic, Hall, openai, rest, type SessionStore } from '../src/index.ts';
import { patienceMs } from '../src/patience.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { overSockets, textOf } from './contract/wires.ts';

const never = () => new Promise<never>(() => {});
const pauses: PauseStore = { put: never, get: never, delete: never };
const notes: NoteStore = { put: never, claim: never, get: never, names: never, delete: never };
const store: SessionStore = {
  put: never,
  claim: never,
  append: never,
  get: never,
  facts: never,
  list: never,
  delete: never,
  pauses,
  notes,
};

const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
const curious = () => agentOf('curious', (request) => lastResult(request) ?? asks);

async function open() {
  const agent = curious();
  // Time as it is, and short: whoever waits, waits for the store.
  const clock = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    after(ms: number, then: () => void) {
      const timer = setTimeout(then, ms === patienceMs ? 20 : ms);
      return () => clearTimeout(timer);
    },
  };
  const hall = new Hall({ agents: () => [{ name: 'curious', agent }], ports: fakePorts({ clock }), store });
  const wire = await overSockets(hall, [rest(), openai(), anthropic()]);
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const arrived = await wire.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await textOf(arrived);
    return { status: arrived.status, body: JSON.parse(text) };
  };
  const end = async () => {
    expect(await hall.stop(1_000)).toBe(0);
    await wire.close();
  };
  return { hall, post, end };
}

test('over REST, while whoever asked waits, and later', async () => {
  const { hall, post, end } = await open();
  const begun = await post('/v1/sessions', { agent: 'curious', input: 'Go.' });
  expect(begun).toMatchObject({ status: 201, body: { isKept: false } });
  const { id } = begun.body;
  await expect.poll(() => hall.running).toBe(0);
  const answered = await post(`/v1/sessions/${id}/answer`, { answer: '1999', wait: false });
  expect(answered.status).toBe(202);
  await expect.poll(() => hall.running).toBe(0);
  expect(await hall.store.get(id)).toMatchObject({ status: 'completed', resumptions: 1 });
  await end();
});

test('as a model of OpenAI', async () => {
  const { post, end } = await open();
  const said = [{ role: 'user', content: 'Go.' }];
  const first = await post('/v1/chat/completions', { model: 'curious', messages: said });
  const { message } = first.body.choices[0];
  expect(message.content).toContain('Which year?');
  const messages = [...said, message, { role: 'user', content: '1999' }];
  const second = await post('/v1/chat/completions', { model: 'curious', messages });
  expect(second.body.choices[0].message.content).toBe('1999');
  await end();
});

test('as a model of Anthropic', async () => {
  const { post, end } = await open();
  const said = [{ role: 'user', content: 'Go.' }];
  const first = await post('/v1/messages', { model: 'curious', max_tokens: 100, messages: said });
  expect(JSON.stringify(first.body.content)).toContain('Which year?');
  const messages = [...said, { role: 'assistant', content: first.body.content }, { role: 'user', content: '1999' }];
  const second = await post('/v1/messages', { model: 'curious', max_tokens: 100, messages });
  expect(second.body.content.at(-1).text).toBe('1999');
  await end();
});
