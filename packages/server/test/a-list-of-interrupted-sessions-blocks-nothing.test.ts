// A list of sessions with many interrupted ones never blocks the event loop for long, and sums up each of them once.

import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Fact } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { headOf } from '../../store/test/support/facts.ts';
import { MemorySessions, type SessionStore } from '../src/index.ts';
import { agentOf, call, lookUp } from './contract/people.ts';
import { type RestApp, restApp } from './support/rest-app.ts';
import { slowStore } from './support/stores.ts';

const sessions = 100;
const turns = 100;

/** Sessions that were interrupted after so many turns, and how often their facts were read. */
async function interrupted() {
  let count = 0;
  const worker = agentOf('worker', () => (++count % turns === 0 ? 'Done.' : call('look_up', {})), {
    tools: [lookUp],
    limits: { maxTurns: turns + 1 },
  });
  const facts: Fact[] = [];
  await ask(worker, 'hi', { ports: fakePorts(), onEvent: (event) => event.kind === 'fact' && facts.push(event) });
  const inner = new MemorySessions();
  for (let i = 0; i < sessions; i++) {
    const head = headOf(`s${i}`, { agent: 'worker', createdAt: i });
    inner.put(head);
    inner.append(head.id, facts.slice(0, -1));
    inner.put({ ...head, status: 'interrupted', endedAt: i, facts: facts.length - 1 });
  }
  const reads = { count: 0 };
  const slow = slowStore(inner);
  const store: SessionStore = {
    ...slow,
    facts: (...asked) => {
      reads.count += 1;
      return slow.facts(...asked);
    },
  };
  return { ...restApp([worker], { store }), store, reads };
}

/** The longest time in which no timer fired. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const probe = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await delay(5);
  await work();
  await delay(5);
  clearInterval(probe);
  return longest;
}

const list = async ({ get }: Pick<RestApp, 'get'>) =>
  ((await (await get(`/v1/sessions?limit=${sessions}`)).json()) as { sessions: readonly Listed[] }).sessions;

interface Listed {
  readonly usage?: { readonly modelCalls: number };
}

/** The longest block while a list is made for the first time, as a share of the time that the list takes. */
async function longestShare(): Promise<number> {
  const app = await interrupted();
  let listed: readonly Listed[] = [];
  const started = performance.now();
  const block = await longestBlock(async () => {
    listed = await list(app);
  });
  const total = performance.now() - started;
  expect(listed.map(({ usage }) => usage?.modelCalls)).toEqual(Array(sessions).fill(turns));
  return block / total;
}

test('one session is summed up at a time, and other work comes between', async () => {
  // The best of three: other processes may keep the machine busy. All at once, the block is most of the time.
  const shares = [await longestShare(), await longestShare(), await longestShare()];
  expect(Math.min(...shares)).toBeLessThan(0.25);
});

test('the brief document of an interrupted session has its usage', async () => {
  const { get } = await interrupted();
  expect(await (await get('/v1/sessions/s7?brief=true')).json()).toMatchObject({ usage: { modelCalls: turns } });
});

test('the facts of a session are read again only if there are more of them', async () => {
  const { store, reads, ...app } = await interrupted();
  const first = await list(app);
  expect(reads.count).toBe(sessions);
  expect(await list(app)).toEqual(first);
  expect(reads.count).toBe(sessions);
  const head = await store.get('s7');
  if (!head) throw new TypeError('s7 is there.');
  await store.put({ ...head, facts: head.facts + 1 });
  await list(app);
  expect(reads.count).toBe(sessions + 1);
});
