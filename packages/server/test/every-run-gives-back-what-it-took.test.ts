// The promise: however a run ends, or does not begin, its place, its listeners and whatever it held are given back, once.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type AgentEvent, defineTool } from '@ai-agent/core';
import { type FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { answer, anybody, Hall, type HallOptions, resume, type ServedAgent } from '../src/index.ts';
import { patienceMs } from '../src/patience.ts';
import { agentOf, call, lastResult } from './contract/people.ts';
import { gate } from './support/house.ts';

interface Watched {
  readonly hall: Hall;
  readonly held: () => number;
  readonly bugs: unknown[];
  readonly settled: () => Promise<void>;
}

function watch(served: ServedAgent, options: Partial<HallOptions> = {}): Watched {
  let held = 0;
  const bugs: unknown[] = [];
  const hold = () => {
    held++;
    return () => {
      held--;
    };
  };
  const places = { rest: { running: 1, waiting: 5 } };
  const onBug = (error: unknown) => bugs.push(error);
  const hall = new Hall({ agents: () => [{ hold, ...served }], ports: fakePorts(), places, onBug, ...options });
  const settled = () =>
    expect
      .poll(() => [hall.running, hall.placesOf('rest').running, hall.placesOf('rest').waiting, held])
      .toEqual([0, 0, 0, 0]);
  return { hall, held: () => held, bugs, settled };
}

/** Counts who listens to it. */
function countedSignal() {
  const controller = new AbortController();
  const listeners = new Set<unknown>();
  const { signal } = controller;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (type: string, listener: never, more?: never) => {
    listeners.add(listener);
    add(type, listener, more);
  };
  signal.removeEventListener = (type: string, listener: never) => {
    listeners.delete(listener);
    remove(type, listener);
  };
  return { signal, listeners, abort: () => controller.abort() };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const asked = { agent: 'one', prompt: 'Go.', visitor: anybody, headend: 'rest' };

test('a run that goes well', async () => {
  const { hall, settled } = watch({ name: 'one', agent: agentOf('one', () => 'Said.') });
  const { signal, listeners } = countedSignal();
  const heard: AgentEvent[] = [];
  const { outcome } = answer(hall, { ...asked, signal, onEvent: (event) => heard.push(event) });
  expect(await outcome).toMatchObject({ status: 'completed', text: 'Said.' });
  await settled();
  expect(listeners.size).toBe(0);
  expect(heard.at(-1)?.type).toBe('session-end');
});

test('nobody keeps what came of a run, but the store its facts', async () => {
  const { hall, settled } = watch({ name: 'one', agent: agentOf('one', () => 'Said.') });
  const runOnce = async () =>
    new WeakRef(await answer(hall, { ...asked, signal: new AbortController().signal }).outcome);
  const outcomes: WeakRef<object>[] = [];
  for (let i = 0; i < 5; i++) outcomes.push(await runOnce());
  await settled();
  await expect
    .poll(() => {
      collect();
      return outcomes.filter((outcome) => outcome.deref()).length;
    })
    .toBe(0);
  expect((await hall.store.list({ owner: null, limit: 10 })).length).toBe(5);
});

describe('what throws on the way', () => {
  const agent = () => agentOf('one', () => 'Said.');
  const broken = () => {
    throw new TypeError('secret-of-the-house');
  };
  test.each<[string, ServedAgent]>([
    ['filling the prompt', { name: 'one', agent: agent(), fillPrompt: broken }],
    ['the configuration', { name: 'one', agent: { ...agent(), budget: { turns: -1 } } }],
    ['what is called when it is over', { name: 'one', agent: agent(), hold: () => broken }],
  ])('%s', async (what, served) => {
    const { hall, settled, bugs } = watch(served);
    const { head, outcome } = answer(hall, { ...asked, signal: new AbortController().signal });
    const ended = await outcome.then(
      ({ status }) => status,
      () => 'rejected',
    );
    expect(ended).toBe(what === 'what is called when it is over' ? 'completed' : 'rejected');
    await settled();
    expect(await hall.session(head.id, anybody)).toMatchObject(
      ended === 'completed' ? { status: 'completed' } : { status: 'failed', failure: { code: expect.any(String) } },
    );
    expect(JSON.stringify(await hall.session(head.id, anybody))).not.toContain('secret');
    if (what !== 'the configuration') expect(String(bugs[0])).toContain('secret-of-the-house');
    expect(() => hall.placesOf('rest').enter({ owner: '' })).not.toThrow();
  });

  test('whoever is told how it ended', async () => {
    const served = { name: 'one', agent: agent() };
    const { hall, settled, bugs } = watch(served, { onEnd: broken });
    expect((await answer(hall, asked).outcome).status).toBe('completed');
    await settled();
    expect(String(bugs[0])).toContain('secret-of-the-house');
  });

  test('whoever is to keep what it needs', async () => {
    const { hall, settled } = watch({ name: 'one', agent: agent(), hold: broken });
    expect(() => answer(hall, asked)).toThrow('secret-of-the-house');
    await settled();
  });
});

test('cancelled in the very moment in which it gets its place, it does not begin', async () => {
  const door = gate();
  const agent = agentOf('one', (_request, turn) => (turn === 1 ? { text: 'First.', until: door.opened } : 'Never.'));
  const { hall, settled } = watch({ name: 'one', agent });
  const first = answer(hall, asked);
  const { signal, listeners, abort } = countedSignal();
  const second = answer(hall, { ...asked, signal });
  const third = answer(hall, asked);
  // The place is given as this settles; nobody has been told yet.
  const places = hall.placesOf('rest');
  first.outcome.then(() => {}).catch(() => {});
  door.open();
  while (places.waiting === 2) await Promise.resolve();
  abort();
  hall.live(third.head.id)?.cancel('Not needed.');
  await expect(second.outcome).rejects.toMatchObject({ class: 'cancelled' });
  await expect(third.outcome).rejects.toMatchObject({ class: 'cancelled' });
  await settled();
  expect(listeners.size).toBe(0);
  expect(await hall.session(second.head.id, anybody)).toMatchObject({ status: 'cancelled', facts: 0 });
});

test('whoever has gone before its turn leaves the row', async () => {
  const door = gate();
  const { hall, settled } = watch({ name: 'one', agent: agentOf('one', () => ({ text: 'x', until: door.opened })) });
  const first = answer(hall, asked);
  const { signal, listeners, abort } = countedSignal();
  const second = answer(hall, { ...asked, signal });
  expect(hall.placesOf('rest').waiting).toBe(1);
  abort();
  await expect(second.outcome).rejects.toMatchObject({ class: 'cancelled' });
  expect(hall.placesOf('rest').waiting).toBe(0);
  door.open();
  await first.outcome;
  await settled();
  expect(listeners.size).toBe(0);
});

describe('a server that stops', () => {
  test('turns away what waits, lets what runs end, and takes nothing new', async () => {
    const door = gate();
    const { hall, settled } = watch({ name: 'one', agent: agentOf('one', () => ({ text: 'x', until: door.opened })) });
    const [first, second] = [answer(hall, asked), answer(hall, asked)];
    const stopped = hall.stop(10_000);
    await expect(second.outcome).rejects.toMatchObject({ code: 'server-stopping' });
    expect(() => answer(hall, asked)).toThrow('stopping');
    door.open();
    expect((await first.outcome).status).toBe('completed');
    expect(await stopped).toBe(0);
    await settled();
    expect(await hall.session(second.head.id, anybody)).toMatchObject({
      status: 'failed',
      failure: { code: 'server-stopping', retryable: true },
    });
    expect((hall.clock as FakeClock).timers).toBe(0);
  });

  test('leaves open the question that somebody was about to answer', async () => {
    const door = gate();
    const asks = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
    const agent = agentOf('one', (request, turn) =>
      turn === 2 ? { text: 'Busy.', until: door.opened } : (lastResult(request) ?? asks),
    );
    const { hall } = watch({ name: 'one', agent: { ...agent, ask: 'person' } });
    const { head } = answer(hall, asked);
    await expect.poll(() => hall.running).toBe(0);
    const busy = answer(hall, asked);
    const going = await resume(hall, head.id, { visitor: anybody, answer: 'This.' });
    const stopped = hall.stop(10_000);
    await expect(going.outcome).rejects.toMatchObject({ code: 'server-stopping' });
    door.open();
    await Promise.all([busy.outcome, stopped]);
    expect(await hall.session(head.id, anybody)).toMatchObject({
      status: 'needs_user_input',
      question: { text: 'Which?' },
    });
  });

  test('cancels what has not ended in its time, whatever its tools do', async () => {
    const began = gate();
    const deaf = defineTool({
      name: 'deaf',
      description: 'hears nothing',
      inputSchema: { type: 'object' },
      execute: () => {
        began.open();
        return new Promise<string>(() => {});
      },
    });
    const agent = agentOf('one', () => call('deaf', {}), { tools: [deaf] });
    const { hall } = watch({ name: 'one', agent });
    const clock = hall.clock as FakeClock;
    const running = answer(hall, asked);
    await began.opened;
    const stopped = hall.stop(10_000);
    clock.advance(10_000);
    const left = await Promise.race([stopped, running.outcome.then(({ status }) => status)]);
    expect(left).toBe('cancelled');
    expect(await stopped).toBe(0);
  });

  test('does not wait for a run whose store never has it', async () => {
    const never = new Promise<never>(() => {});
    const store = {
      put: () => never,
      append: () => never,
      get: () => never,
      facts: () => never,
      list: () => never,
      claim: () => never,
      delete: () => never,
    };
    const { hall } = watch({ name: 'one', agent: agentOf('one', () => 'Said.') }, { store });
    const clock = hall.clock as FakeClock;
    const { outcome } = answer(hall, asked);
    // Whoever writes waits, and whoever wants the answer.
    await expect.poll(() => clock.timers).toBe(2);
    clock.advance(patienceMs);
    expect((await outcome).status).toBe('completed');
    await expect.poll(() => hall.running).toBe(0);
    expect(await hall.stop(10_000)).toBe(0);
  });
});
