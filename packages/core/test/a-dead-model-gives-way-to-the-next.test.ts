// A model that fails is asked again with pauses, then the next of the list; the conversation stays as it is.

import { type Agent, defineTool, type Fact, type Model, type ModelRequest } from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, type ScriptedFailure, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { nextTick, start, walk } from './support/walk.ts';

const unavailable: ScriptedFailure = { code: 'model-unavailable' };

/** A model that writes down when it was asked. */
function timed(clock: FakeClock, script: Script, model = 'm') {
  const at: number[] = [];
  const inner = scriptedModel(script, { clock, provider: 'p', model });
  const timedModel: Model & { requests: readonly ModelRequest[] } = {
    ...inner,
    requests: inner.requests,
    call(request, context) {
      at.push(clock.now());
      return inner.call(request, context);
    },
  };
  const pauses = () => at.slice(1).map((time, i) => time - (at[i] ?? 0));
  return { model: timedModel, at, pauses };
}

const lead = (model: Agent['model'], more: Partial<Agent> = {}): Agent => ({
  name: 'lead',
  instructions: 'You lead.',
  ...more,
  model,
});

async function passing<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    for (let i = 0; i < 20 && !isDone; i++) await nextTick();
    if (!isDone && clock.nextAt !== undefined) clock.advance(clock.nextAt - clock.now());
  }
  return work;
}

function modelEnd(events: readonly { readonly type: string }[]) {
  return events.find((event): event is Extract<Fact, { type: 'model-end' }> => event.type === 'model-end');
}

describe('the same model', () => {
  test('is asked maxRetries times in all, with pauses that double, differ by chance and end at 30 s', async () => {
    const pausesOf = async (sessionId: string) => {
      const clock = new FakeClock();
      const { model, pauses, at } = timed(clock, () => ({ fail: unavailable }));
      const run = start(lead(model, { limits: { maxRetries: 9 } }), 'go', { ports: fakePorts({ clock }), sessionId });
      const outcome = await passing(clock, run.outcome);
      expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'model-unavailable' } });
      expect(at).toHaveLength(9);
      expect(modelEnd(run.events)?.requests).toHaveLength(9);
      expect(clock.timers).toBe(0);
      return pauses();
    };
    const pauses = await pausesOf('one');
    for (const [i, full] of [1, 2, 4, 8, 16, 30, 30, 30].entries()) {
      expect(pauses[i]).toBeGreaterThanOrEqual(full * 500);
      expect(pauses[i]).toBeLessThanOrEqual(full * 1_000);
    }
    expect(await pausesOf('one')).toEqual(pauses);
    expect(await pausesOf('two')).not.toEqual(pauses);
  });

  test.each([
    ['is waited for as long as it asks', 90_000, 90_000],
    ['is not asked sooner than the pause because it asks for less', 10, 500],
  ])('%s', async (_, retryAfterMs, atLeast) => {
    const clock = new FakeClock();
    const fail = { code: 'model-rate-limit', retryAfterMs } as const;
    const { model, pauses } = timed(clock, [{ fail }, 'there']);
    const run = start(lead(model), 'go', { ports: fakePorts({ clock }) });
    expect(await passing(clock, run.outcome)).toMatchObject({ status: 'completed', text: 'there' });
    expect(pauses()[0]).toBeGreaterThanOrEqual(atLeast);
    expect(pauses()[0]).toBeLessThanOrEqual(Math.max(atLeast, 1_000));
  });

  test('that asks for more time than a call may take is not waited for', async () => {
    const clock = new FakeClock();
    const { model, at } = timed(clock, () => ({ fail: { code: 'model-rate-limit', retryAfterMs: 3_600_000 } }));
    const run = start(lead(model), 'go', { ports: fakePorts({ clock }) });
    expect(await passing(clock, run.outcome)).toMatchObject({ status: 'failed', failure: { class: 'rate_limit' } });
    expect(at).toHaveLength(1);
  });

  test('that does not answer in time is one that failed', async () => {
    const clock = new FakeClock();
    const { model, at } = timed(clock, [{ text: 'late', latencyMs: 700_000 }, 'in time']);
    const run = start(lead(model), 'go', { ports: fakePorts({ clock }) });
    expect(await passing(clock, run.outcome)).toMatchObject({ status: 'completed', text: 'in time' });
    expect(at[1]).toBeGreaterThanOrEqual((at[0] ?? 0) + 600_500);
  });
});

describe('the next model', () => {
  test('is asked after the last try of the one before, with the same conversation, and is the one that is booked', async () => {
    const clock = new FakeClock();
    const first = timed(clock, (_, call) => (call === 1 ? { calls: [{ name: 'look' }] } : { fail: unavailable }), 'a');
    const second = timed(clock, ['from b'], 'b');
    const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
    const run = start(lead([first.model, second.model], { tools: [look] }), 'go', { ports: fakePorts({ clock }) });
    const outcome = await passing(clock, run.outcome);
    expect(outcome).toMatchObject({ status: 'completed', text: 'from b' });
    expect([first.at.length, second.at.length]).toEqual([4, 1]);
    expect(second.model.requests[0]).toEqual(first.model.requests[1]);
    const ends = run.events.filter((event) => event.type === 'model-end');
    expect(ends).toMatchObject([
      { provider: 'p', model: 'a', requests: [{ model: 'a', status: 'ok' }] },
      { provider: 'p', model: 'b', requests: [...Array(3).fill({ model: 'a' }), { model: 'b', status: 'ok' }] },
    ]);
    const { requests = [], startedAt = 0, endedAt = 0 } = ends[1] ?? {};
    const failed = requests.slice(0, 3);
    expect(failed.map((request) => request.startedAt)).toEqual(first.at.slice(1));
    expect(failed.map((request) => request.failure?.code)).toEqual(Array(3).fill('model-unavailable'));
    expect([startedAt, endedAt]).toEqual([first.at[1], second.at[0]]);
    const booked = outcome.ledger.entries.filter((entry) => entry.type === 'model');
    expect(booked.map(({ model, status }) => `${model} ${status}`)).toEqual([
      'a ok',
      ...['a failed', 'a failed', 'a failed'],
      'b ok',
    ]);
  });

  test('is asked at once when trying again is no use: a bad key costs one request', async () => {
    const clock = new FakeClock();
    const first = timed(clock, () => ({ fail: { code: 'model-auth' } }), 'a');
    const second = timed(clock, ['from b'], 'b');
    const { outcome } = start(lead([first.model, second.model]), 'go', { ports: fakePorts({ clock }) });
    expect(await outcome).toMatchObject({ status: 'completed', text: 'from b' });
    expect([first.at.length, second.at[0]]).toEqual([1, first.at[0]]);
  });

  test('is asked when the first cannot be made, or wants to be waited for too long', async () => {
    const clock = new FakeClock();
    const waiting = timed(clock, () => ({ fail: { code: 'model-rate-limit', retryAfterMs: 31_000 } }), 'a');
    const second = timed(clock, () => 'from b', 'b');
    const agent = lead(['none/such', waiting.model, second.model]);
    const { outcome, events } = await walk(agent, 'go', { ports: fakePorts({ clock }) });
    expect(outcome).toMatchObject({ status: 'completed', text: 'from b' });
    expect(modelEnd(events)?.requests).toMatchObject([
      { provider: 'none', model: 'such', status: 'refused', failure: { code: 'model-unknown' } },
      { model: 'a', status: 'failed', failure: { class: 'rate_limit' } },
      { model: 'b', status: 'ok' },
    ]);
    expect(waiting.at).toHaveLength(1);
  });

  test('does not help when the budget is gone', async () => {
    const clock = new FakeClock();
    const [first, second] = [timed(clock, ['a']), timed(clock, ['b'])];
    const { outcome, events } = await walk(lead([first.model, second.model], { budget: { tokens: 3 } }));
    expect(modelEnd(events)?.requests).toMatchObject([{ status: 'refused', failure: { class: 'budget' } }]);
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'budget' } });
    expect([first.at, second.at]).toEqual([[], []]);
  });

  test('begins its text anew: deltas tell the attempt', async () => {
    const first = scriptedModel(() => ({ text: 'abcdef', cutAfter: 1 }));
    const agent = lead([first, scriptedModel(['uvw'])], { limits: { maxRetries: 2 } });
    const { outcome, events } = await walk(agent);
    expect(outcome.text).toBe('uvw');
    // How a text is cut into pieces is nobody's promise.
    const said: Record<number, string> = {};
    for (const event of events)
      if (event.type === 'text-delta') said[event.attempt] = (said[event.attempt] ?? '') + event.text;
    expect(said).toEqual({ 1: 'ab', 2: 'ab', 3: 'uvw' });
  });
});

describe('between two tries', () => {
  test.each(['cancel', 'stop'] as const)('a %s leaves no timer behind', async (end) => {
    const clock = new FakeClock();
    const { model, at } = timed(clock, (_, call) => (call === 2 ? 'last word' : { fail: unavailable }));
    const run = start(lead(model), 'go', { ports: fakePorts({ clock }) });
    while (clock.timers === 0 || at.length === 0) await nextTick();
    run[end]();
    const expected = end === 'cancel' ? { status: 'cancelled' } : { status: 'partial', text: 'last word' };
    expect(await run.outcome).toMatchObject(expected);
    expect(clock.timers).toBe(0);
  });
});
