// The promise: one of many who come under one key has a rate, an allowance, a budget and places of their own, and takes nothing of the others; the key's hold for all.

import { type Agent, AgentError, type AgentEvent, type Outcome } from '@ai-agent/core';
import { FakeClock, fakePorts, type ScriptedModel } from '@ai-agent/core/testing';
import { expect, test, vi } from 'vitest';
import { Book } from '../src/book.ts';
import { Hall, hashOf, type KeySettings, Keys, openDesk, type PerUser } from '../src/index.ts';
import { Lately, mostOfLate } from '../src/lately.ts';
import { People } from '../src/people.ts';
import type { Spending } from '../src/visitor.ts';
import { agentOf, heldAgent, secretOf } from './support/governed.ts';

interface Options {
  readonly agents?: readonly Agent[];
  readonly key?: Omit<KeySettings, 'hash'>;
  readonly running?: number;
}

function deskOf(perUser: PerUser, { agents = [agentOf('echo')], key, running = 10 }: Options = {}) {
  const clock = new FakeClock(Date.UTC(2026, 0, 31, 23, 30));
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const places = { slack: { running, waiting: 1 } };
  const hall = new Hall({ agents: () => served, ports: fakePorts({ clock }), places });
  const keys = key && new Keys({ desk: { ...key, hash: hashOf(secretOf('desk')) } }, clock);
  const desk = openDesk(hall, { headend: 'slack', key: key ? 'desk' : null, visitor: keys?.named('desk'), perUser });
  const begin = (person: string, prompt = 'Go.') =>
    desk.begin({ person, agent: served[0]?.name ?? '', prompt, onEvent: () => {} });
  const ask = async (person: string) => {
    try {
      return (await (await begin(person)).outcome).status;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  return { clock, hall, desk, begin, ask };
}

test('a rate', async () => {
  const { ask, begin, clock } = deskOf({ requestsPerMinute: 2 });
  expect([await ask('a'), await ask('a'), await ask('a')]).toEqual(['completed', 'completed', 'too-many-requests']);
  await expect(begin('a')).rejects.toThrow('You may start 2 runs a minute, and that many were started.');
  expect(await ask('b')).toBe('completed');
  clock.advance(30_000);
  expect([await ask('a'), await ask('a')]).toEqual(['completed', 'too-many-requests']);
});

test('the rate of the key holds for all of them together', async () => {
  const { ask } = deskOf({ requestsPerMinute: 2 }, { key: { requestsPerMinute: 3 } });
  expect([await ask('a'), await ask('a'), await ask('b'), await ask('b')]).toEqual([
    'completed',
    'completed',
    'completed',
    'too-many-requests',
  ]);
});

const used = { usage: { inputTokens: 3_000, outputTokens: 1_000 } };
const spender = () => agentOf('echo', () => ({ text: 'Done.', ...used }));

test('an allowance', async () => {
  const { ask, begin, clock } = deskOf({ allowance: { tokens: 4_000, per: 'hour' } }, { agents: [spender()] });
  expect([await ask('a'), await ask('a'), await ask('b')]).toEqual(['completed', 'allowance-spent', 'completed']);
  await expect(begin('a')).rejects.toThrow('What you may use in one hour is spent.');
  clock.advance(1_800_000);
  expect(await ask('a')).toBe('completed');
});

test('the allowance of the key is used by all of them, and the lesser is named', async () => {
  const allowance = { tokens: 8_000, per: 'hour' } as const;
  const { ask, begin } = deskOf(
    { allowance: { tokens: 6_000, per: 'hour' } },
    { agents: [spender()], key: { allowance } },
  );
  expect([await ask('a'), await ask('b')]).toEqual(['completed', 'completed']);
  await expect(begin('c')).rejects.toThrow('What this key may use in one hour is spent.');
});

const mostOutput = (agent: Agent) => (agent.model as ScriptedModel).requests[0]?.settings.maxOutputTokens;

test.each([
  [5_000, 100_000],
  [100_000, 5_000],
])('what is left of both bounds a run: %d for each, %d for all', async (each, all) => {
  const agent = spender();
  const key = { allowance: { tokens: all, per: 'hour' } } as const;
  const { ask } = deskOf({ allowance: { tokens: each, per: 'hour' } }, { agents: [agent], key });
  await ask('a');
  expect(mostOutput(agent)).toBeLessThan(5_000);
});

test('what is used counts for both', async () => {
  const key = { allowance: { tokens: 12_000, per: 'hour' } } as const;
  const { ask, begin } = deskOf({ allowance: { tokens: 4_000, per: 'hour' } }, { agents: [spender()], key });
  expect(await ask('a')).toBe('completed');
  await expect(begin('a')).rejects.toThrow('What you may use in one hour is spent.');
  expect([await ask('b'), await ask('c'), await ask('d')]).toEqual(['completed', 'completed', 'allowance-spent']);
});

test.each([
  ['you', 4_010, 8_000],
  ['this key', 8_000, 4_010],
])('of two of which too little is left, the lesser is named: that of %s', async (who, each, all) => {
  const key = { allowance: { tokens: all, per: 'hour' } } as const;
  const { ask, begin } = deskOf({ allowance: { tokens: each, per: 'hour' } }, { agents: [spender()], key });
  expect(await ask('a')).toBe('completed');
  const { outcome } = await begin('a');
  await expect(outcome).rejects.toThrow(`What ${who} may use in one hour is spent but for too little to begin with.`);
});

function booksOf(allOf: () => Spending) {
  const all = { key: null, may: () => true, spend: allOf };
  const people = new People(all, { allowance: { tokens: 10, per: 'hour' } }, () => 0);
  const spend = (stop = () => {}) => people.visitorFor('a').spend?.({ stop });
  const reply = { message: { role: 'assistant', content: [] }, usage: { inputTokens: 5, outputTokens: 5 } };
  const told = { kind: 'fact', type: 'model-end', op: '1', trace: { selfId: 's' }, reply } as unknown as AgentEvent;
  return { spend, told };
}

test('the books of both are closed with the run', () => {
  const common = { budget: {}, hear: vi.fn(), judge: (outcome: Outcome) => outcome, close: vi.fn() };
  const { spend, told } = booksOf(() => common);
  const stop = vi.fn();
  const [first, second] = [spend(stop), spend()];
  first?.close();
  expect(common.close).toHaveBeenCalledTimes(1);
  second?.hear(told);
  expect(common.hear).toHaveBeenCalledWith(told);
  // It is over: nobody is to be stopped.
  expect(stop).not.toHaveBeenCalled();
});

test('who has no leave of the key leaves nothing open', () => {
  const common = { budget: {}, hear: () => {}, judge: (outcome: Outcome) => outcome, close: () => {} };
  const answers = [new AgentError('allowance-spent', 'It is spent.'), common];
  const { spend, told } = booksOf(() => {
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer;
    return answer;
  });
  const stop = vi.fn();
  expect(() => spend(stop)).toThrow('It is spent.');
  spend()?.hear(told);
  expect(stop).not.toHaveBeenCalled();
});

test('a book is as good as new before anything is in it, and when its time is over', () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 31, 23, 30));
  const settings = { requestsPerMinute: 1, allowance: { tokens: 10, per: 'hour' } } as const;
  const book = new Book(settings, () => clock.now());
  expect(book.isBlank).toBe(true);
  book.admit();
  expect(book.isBlank).toBe(false);
  clock.advance(60_000);
  expect(book.isBlank).toBe(true);
  const open = book.open({ stop: () => {} });
  expect(book.isBlank).toBe(false);
  open?.close();
  expect(book.isBlank).toBe(true);
});

test.each([
  [2_000, 9_000],
  [9_000, 2_000],
])('a budget that narrows that of the key: %d for each, %d for all', async (each, all) => {
  const agent = agentOf('echo');
  const { ask } = deskOf({ budget: { tokens: each } }, { agents: [agent], key: { budget: { tokens: all } } });
  await ask('a');
  expect(mostOutput(agent)).toBeLessThan(2_000);
});

test('places: who has theirs waits, and others do not', async () => {
  const held = heldAgent('held');
  const { begin, hall } = deskOf({ concurrency: 1 }, { agents: [held.agent] });
  await begin('a');
  await begin('a');
  await expect(begin('a')).rejects.toMatchObject({
    code: 'too-many-requests',
    message: expect.stringContaining('You may have 1 run at once'),
  });
  await begin('b');
  await vi.waitFor(() => expect(held.started()).toBe(2));
  expect(hall.placesOf('slack').waiting).toBe(1);
  held.release();
  await vi.waitFor(() => expect(held.started()).toBe(2));
  await vi.waitFor(() => expect(hall.placesOf('slack').waiting).toBe(0));
});

test('places of the key are had by all of them', async () => {
  const held = heldAgent('held');
  const { begin, hall } = deskOf({ concurrency: 2 }, { agents: [held.agent], key: { concurrency: 1 } });
  await begin('a');
  await begin('b');
  expect([hall.placesOf('slack').running, hall.placesOf('slack').waiting]).toEqual([1, 1]);
  await begin('c');
  await expect(begin('d')).rejects.toThrow('This key may have 1 run at once');
});

test('those who wait take turns', async () => {
  const held = heldAgent('held');
  const { desk, hall } = deskOf({}, { agents: [held.agent], running: 1 });
  const order: string[] = [];
  const begin = async (person: string) =>
    (await desk.begin({ person, agent: 'held', prompt: person, onEvent: () => {} })).outcome.then(() =>
      order.push(person),
    );
  const runs = [begin('a')];
  await vi.waitFor(() => expect(held.started()).toBe(1));
  runs.push(begin('a'));
  await vi.waitFor(() => expect(hall.placesOf('slack').waiting).toBe(1));
  // The row is full of those of one: there is room for another.
  runs.push(begin('b'));
  await vi.waitFor(() => expect(hall.placesOf('slack').waiting).toBe(2));
  for (let run = 0; run < 3; run++) {
    await vi.waitFor(() => expect(held.started()).toBe(1));
    held.release();
  }
  await Promise.all(runs);
  expect(order).toEqual(['a', 'a', 'b']);
});

test('who has not come for long is forgotten: when nothing would be lost, or when there are too many', () => {
  const blank = new Set<number>();
  let made = 0;
  const lately = new Lately(
    () => made++,
    (one) => blank.has(one),
  );
  for (const who of ['a', 'b', 'c', 'a']) lately.of(who);
  expect([made, lately.size]).toEqual([3, 3]);
  // That of b, who has not come for longest.
  blank.add(1);
  lately.of('a');
  expect([lately.size, lately.of('b')]).toEqual([2, 3]);
  for (let i = 0; i < 2 * mostOfLate; i++) lately.of(`other-${i}`);
  expect(lately.size).toBe(mostOfLate);
});
