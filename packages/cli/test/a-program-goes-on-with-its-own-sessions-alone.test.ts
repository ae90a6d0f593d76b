// The promise: what a program says of where its sessions are kept is right, or is refused before anything runs; it goes on with sessions of its own alone.

import { openStore, type Store } from '@ai-agent/store';
import { expect, onTestFinished, test } from 'vitest';
import { AIAgentSession, type AIAgentSessionConfig, ask, defineAgent } from '../src/index.ts';
import { scriptedModel } from '../src/testing.ts';
import { folderWith } from './support/command.ts';

async function opened(): Promise<Store> {
  const store = await openStore(`${await folderWith({})}/sessions.sqlite`);
  onTestFinished(() => store.close());
  return store;
}

const agentCalled = (name: string) =>
  defineAgent({ name, instructions: 'Answer.', model: scriptedModel(() => 'Good day.') });
const desk = agentCalled('desk');
const refusal = (going: Promise<unknown>) =>
  going.then(
    () => 'went on',
    ({ code }) => code,
  );

test('a session that is begun is gone on with, by one of two who come at once', async () => {
  const store = await opened();
  const { sessionId: session } = await ask(desk, 'one', { store });
  const both = ['two', 'three'].map((prompt) => refusal(ask(desk, prompt, { store, session })));
  expect((await Promise.all(both)).sort()).toEqual(['session-busy', 'went on']);
  expect(await store.get(session)).toMatchObject({ status: 'completed', resumptions: 1, owner: '@library' });
});

test('sessions of others are not there: of a server, of the terminal, of another user or agent', async () => {
  const store = await opened();
  const { sessionId: session } = await ask(desk, 'one', { store, user: 'ann' });
  const head = await store.get(session);
  for (const [id, owner] of [
    ['of-a-key', 'shop'],
    ['of-nobody', null],
    ['of-terminal', '@terminal'],
  ] as const) {
    if (head) await store.put({ ...head, id, owner });
    expect(await refusal(ask(desk, 'two', { store, session: id, user: 'ann' }))).toBe('session-unknown');
  }
  expect(await refusal(ask(desk, 'two', { store, session }))).toBe('session-unknown');
  expect(await refusal(ask(desk, 'two', { store, session, user: 'bob' }))).toBe('session-unknown');
  expect(await refusal(ask(agentCalled('other'), 'two', { store, session, user: 'ann' }))).toBe('session-unknown');
  expect(await refusal(ask(desk, 'two', { store, session, user: 'ann' }))).toBe('went on');
});

test.each<readonly [string, object]>([
  ['a place in the place of a store', { store: './sessions.sqlite' }],
  ['something that is none', { store: {} }],
  ['a session without the store that it is in', { session: 'abc' }],
  ['a session that is no text', { store: 'real', session: 7 }],
  ['a user that is no text', { store: 'real', user: 7 }],
])('%s is refused', async (_, { store: said, ...wrong }: { readonly store?: unknown }) => {
  const store = said === 'real' ? await opened() : said;
  const config = { agent: desk, ...wrong, ...(said === undefined ? {} : { store }) } as unknown as AIAgentSessionConfig;
  expect(() => new AIAgentSession(config)).toThrow(expect.objectContaining({ code: 'agent-invalid' }));
});

test('what cannot be asked leaves no session behind that seems to run', async () => {
  const store = await opened();
  expect(() => new AIAgentSession({ agent: desk, store }).run(7 as never)).toThrow(
    expect.objectContaining({ code: 'session-input-invalid' }),
  );
  const { sessionId: session } = await ask(desk, 'one', { store });
  expect(await refusal(ask(desk, 7 as never, { store, session }))).toBe('session-input-invalid');
  await expect.poll(async () => (await store.list({ limit: 9, statuses: ['running', 'queued'] })).length).toBe(0);
  expect(await refusal(ask(desk, 'two', { store, session }))).toBe('went on');
});
