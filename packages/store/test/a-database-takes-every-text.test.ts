// The promise: what a session says is kept as it was said, also the characters that PostgreSQL does not take.

import { compareNames, type Fact, type Paused } from '@ai-agent/core';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';

const postgres = usePostgres();

const odd = [
  'zero \0 sign',
  'half \ud83d pair',
  '\\u0000',
  '"quoted\'',
  'line\nbreak',
  '{"a":[1]}',
  '€ 日本 😀',
  '',
  '\\e',
];

async function open() {
  const store = await openStore(await postgres().database(), { retention: forEver });
  onTestFinished(() => store.close());
  return store;
}

test('in facts, in pauses and in notes', async () => {
  const store = await open();
  await store.put(headOf('a'));
  const facts = odd.map((text, i) => factOf(i + 1, text));
  await store.append('a', facts as readonly Fact[]);
  expect(await store.facts('a', 0)).toEqual(facts);
  for (const text of odd) {
    const paused = { agentName: text, args: { [text]: text } } as unknown as Paused;
    await store.pauses.put(text, paused);
    expect(await store.pauses.get(text)).toEqual(paused);
    await store.notes.put(text, { text }, Date.now() + 60_000);
    expect(await store.notes.get(text)).toEqual({ text });
    expect(await store.notes.claim(text, 'late', Date.now() + 60_000)).toBe(false);
  }
  for (const text of odd) {
    const wanted = odd.filter((name) => name.startsWith(text)).sort(compareNames);
    expect(await store.notes.names(text, 100), text).toEqual(wanted);
  }
  for (const text of odd) expect(await store.pauses.delete(text)).toBe(true);
});

test('in all that sessions are found by', async () => {
  const store = await open();
  for (const text of odd) {
    const head = headOf(`id ${text}`, { owner: text, user: text, agent: text, headend: text, title: text, endedAt: 5 });
    await store.put(head);
    expect(await store.get(head.id)).toEqual(head);
  }
  await store.put(headOf('nobody'));
  for (const text of odd) {
    const found = await store.list({ owner: text, user: text, agent: text, headend: text, limit: 10 });
    expect(found.map(({ id }) => id)).toEqual([`id ${text}`]);
  }
  expect(await store.list({ owner: null, user: null, limit: 10 })).toEqual([headOf('nobody')]);
});

test('what does not fit at all costs nobody else what they have said', async () => {
  const store = await open();
  const long = Array.from({ length: 4_000 }, () => Math.random().toString(36)).join('');
  const puts = [
    store.put(headOf('a')),
    store.put(headOf(long)),
    store.put(headOf('b')),
    store.append('a', [factOf(1)]),
  ];
  const settled = await Promise.allSettled(puts);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(await store.list({ limit: 10 })).toHaveLength(2);
  expect(await store.facts('a', 0)).toEqual([factOf(1)]);
});

test('facts of many pages, in their order', async () => {
  const store = await open();
  await store.put(headOf('a'));
  const long = 'x'.repeat(1_500_000);
  const facts = Array.from({ length: 12 }, (_, i) => factOf(i + 1, i % 3 === 0 ? long : 'short'));
  await Promise.all(facts.map((fact) => store.append('a', [fact])));
  expect(await store.facts('a', 0)).toEqual(facts);
  expect(await store.facts('a', 2, 5)).toEqual(facts.slice(2, 7));
});
