// The promise: a program that hands in a store has its sessions kept there and goes on with them by their id; without one, nothing is kept.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentEvent, AIAgentSession, ask, defineAgent, type ModelRequest } from '@ai-agent/cli';
import { openStore } from '@ai-agent/cli/store';
import { scriptedModel } from '@ai-agent/cli/testing';
import { expect, onTestFinished, test } from 'vitest';

const heard = ({ messages }: ModelRequest) =>
  `heard ${messages.flatMap((one) => (one.role === 'user' ? one.content.map((part) => (part.type === 'text' ? part.text : '')) : [])).join(' | ')}`;

const agent = () => defineAgent({ name: 'desk', instructions: 'You answer.', model: scriptedModel(heard) });

async function aStore() {
  const folder = mkdtempSync(join(tmpdir(), 'library-'));
  const store = await openStore(join(folder, 'sessions.sqlite'));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

test('kept, and gone on with under one id', async () => {
  const store = await aStore();
  const first = await ask(agent(), 'one', { store });
  expect(await store.get(first.sessionId)).toMatchObject({ agent: 'desk', status: 'completed', headend: 'library' });
  const second = await ask(agent(), 'two', { store, session: first.sessionId });
  expect(second).toMatchObject({ text: 'heard one | two', sessionId: first.sessionId });
  expect(second.conversations[second.sessionId]?.at(-1)).toMatchObject({ role: 'assistant' });
  expect(second.ledger.total.modelCalls).toBe(1);
  expect(await store.get(first.sessionId)).toMatchObject({ resumptions: 1, usage: { modelCalls: 2 } });
});

test('its events are all there to be heard, and it can be ended before it has begun', async () => {
  const store = await aStore();
  const { sessionId } = await ask(agent(), 'one', { store });
  const run = new AIAgentSession({ agent: agent(), store, session: sessionId }).run('two');
  expect(run.sessionId).toBe(sessionId);
  const events: AgentEvent[] = [];
  for await (const event of run.events) events.push(event);
  const facts = events.filter(({ kind }) => kind === 'fact');
  expect([facts.at(0)?.type, facts.at(-1)?.type]).toEqual(['session-start', 'session-end']);
  await run.outcome;
  const early = new AIAgentSession({ agent: agent(), store, session: sessionId }).run('three');
  early.cancel('No.');
  expect(await early.outcome).toMatchObject({ status: 'cancelled', sessionId });
});

test('a question is answered in the next round, after the process has gone', async () => {
  const store = await aStore();
  const asking = () =>
    defineAgent({
      name: 'clerk',
      instructions: 'You ask.',
      ask: 'person',
      model: scriptedModel(({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? `It is ${JSON.stringify(messages.at(-1)).includes('blue') ? 'blue' : '?'}`
          : { calls: [{ name: 'ask_user', input: { question: 'Which colour?' } }] },
      ),
    });
  const first = await ask(asking(), 'go', { store });
  expect(first.status).toBe('needs_user_input');
  expect(await ask(asking(), 'blue', { store, session: first.sessionId })).toMatchObject({ text: 'It is blue' });
});

test('what cannot be gone on with is refused: another user, nobody, and one at work', async () => {
  const store = await aStore();
  const { sessionId: session } = await ask(agent(), 'one', { store, user: 'anna' });
  for (const user of ['bert', undefined])
    await expect(ask(agent(), 'two', { store, session, ...(user ? { user } : {}) })).rejects.toMatchObject({
      code: 'session-unknown',
    });
  expect(await ask(agent(), 'two', { store, session, user: 'anna' })).toMatchObject({ text: 'heard one | two' });
  const both = await Promise.allSettled([1, 2].map(() => ask(agent(), 'three', { store, session, user: 'anna' })));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'session-busy' } });
});

test('a store that fails costs nothing but a word', async () => {
  const store = await aStore();
  await store.close();
  const told: unknown[] = [];
  const outcome = await ask(agent(), 'one', { store, onUnkept: (error) => void told.push(error) });
  expect(outcome).toMatchObject({ status: 'completed', text: 'heard one' });
  expect(told).toHaveLength(1);
});
