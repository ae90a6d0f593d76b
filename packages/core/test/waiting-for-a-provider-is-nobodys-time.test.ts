// On the way to a provider a call may have to wait: before its clock starts, in every record and limit, and not for ever.

import { AgentError, asTool, type Entrant, type Lane, type Leave, type Model } from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, inItsTime, nextTick, start } from './support/walk.ts';

const begun = 1_700_000_000_000;

/** Lets everybody in after this long, and remembers who came, and what it was told when they left. */
class SlowLane implements Lane {
  readonly came: Entrant[] = [];
  readonly left: (number | undefined)[] = [];
  readonly #clock: FakeClock;
  readonly #waitMs: number;

  constructor(clock: FakeClock, waitMs: number) {
    this.#clock = clock;
    this.#waitMs = waitMs;
  }

  enter(entrant: Entrant): Leave | Promise<Leave> {
    this.came.push(entrant);
    const leave: Leave = (used) => this.left.push(used);
    if (this.#waitMs === 0) return leave;
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(this.#waitMs, () => resolve(leave));
      entrant.signal.addEventListener('abort', () => {
        cancel();
        reject(entrant.signal.reason);
      });
    });
  }
}

function modelOn(lane: Lane, clock: FakeClock, script: Script, model = 'm'): Model & { requests: readonly unknown[] } {
  const inner = scriptedModel(script, { clock, provider: 'p', model });
  return { ...inner, requests: inner.requests, lane };
}

describe('a wait on the way', () => {
  test('counts neither for the timeout of the request nor for the budget of time, and the call begins after it', async () => {
    const clock = new FakeClock();
    const lane = new SlowLane(clock, 50_000);
    const model = modelOn(lane, clock, [{ text: 'there', latencyMs: 1_000 }]);
    const lead = { ...agent('lead', []), model, limits: { llmTimeoutMs: 5_000 }, budget: { timeMs: 10_000 } };
    const { outcome: ended, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
    const outcome = await inItsTime(clock, ended);
    expect(outcome).toMatchObject({ status: 'completed', text: 'there' });
    expect(events.find((event) => event.type === 'model-end')).toMatchObject({
      startedAt: begun + 50_000,
      endedAt: begun + 51_000,
    });
    expect(outcome.ledger.entries).toMatchObject([{ latencyMs: 1_000 }]);
    expect(clock.timers).toBe(0);
  });

  test('keeps no place of the process', async () => {
    const clock = new FakeClock();
    const { createSlots } = await import('@ai-agent/core');
    const ports = fakePorts({ clock, slots: createSlots({ models: 1 }) });
    const waiting = start({ ...agent('a', []), model: modelOn(new SlowLane(clock, 9_000), clock, ['a']) }, 'go', {
      ports,
    });
    const other = start({ ...agent('b', []), model: scriptedModel(['b']) }, 'go', { ports });
    expect((await other.outcome).status).toBe('completed');
    expect(clock.now()).toBe(begun);
    expect((await inItsTime(clock, waiting.outcome)).status).toBe('completed');
  });

  test.each(['cancel', 'stop'] as const)('ends at once with a %s, and nothing is sent', async (end) => {
    const clock = new FakeClock();
    const lane = new SlowLane(clock, 50_000);
    const model = modelOn(lane, clock, ['last word']);
    const run = start({ ...agent('lead', []), model }, 'go', { ports: fakePorts({ clock }) });
    while (lane.came.length === 0) await nextTick();
    run[end]();
    if (end === 'stop') {
      while (lane.came.length < 2) await nextTick();
      expect(clock.now()).toBe(begun);
      expect(await inItsTime(clock, run.outcome)).toMatchObject({ status: 'partial', text: 'last word' });
      expect(model.requests).toHaveLength(1);
    } else {
      expect(await run.outcome).toMatchObject({ status: 'cancelled' });
      expect(model.requests).toHaveLength(0);
    }
    expect(lane.came[0]?.signal.aborted).toBe(true);
    expect(clock.timers).toBe(0);
  });
});

describe('a lane', () => {
  test('is told whose request it is, what it may come to, and what it came to', async () => {
    const clock = new FakeClock();
    const lane = new SlowLane(clock, 0);
    const usage = { inputTokens: 120, outputTokens: 30 };
    const script: Script = (_, call) => (call === 1 ? { fail: { code: 'model-unavailable' } } : { text: 'x', usage });
    const child = { ...agent('child', []), model: modelOn(lane, clock, () => ({ text: 'c', usage: {} })) };
    const parent: Script = [{ calls: [{ name: 'child', input: { text: 't', reason: 'r' } }] }, 'end'];
    const lead = agent('lead', parent, { tools: [asTool(child)] });
    const ports = fakePorts({ clock });
    await inItsTime(clock, start(lead, 'go', { ports, sessionId: 'tree' }).outcome);
    const own = { ...agent('own', []), model: modelOn(lane, clock, script), settings: { maxOutputTokens: 1_000 } };
    await inItsTime(clock, start(own, 'go', { ports, sessionId: 'other' }).outcome);
    expect(lane.came.map(({ owner }) => owner)).toEqual(['tree', 'other', 'other']);
    expect(lane.left).toEqual([undefined, undefined, 150]);
    const { tokens = 0, inputTokens = 0 } = lane.came[1] ?? {};
    expect(inputTokens).toBeGreaterThan(0);
    expect(tokens - inputTokens).toBe(1_000);
  });

  const refusing = (retryAfterMs: number): Lane & { asked: number } => ({
    asked: 0,
    enter() {
      this.asked++;
      return Promise.reject(new AgentError('model-rate-limit', 'The provider p wants no requests.', { retryAfterMs }));
    },
  });

  test('that refuses a wait sends the call to the next model at once', async () => {
    const clock = new FakeClock();
    const lane = refusing(90_000);
    const first = modelOn(lane, clock, ['never'], 'a');
    const run = start({ ...agent('lead', []), model: [first, scriptedModel(['from b'])] }, 'go', {
      ports: fakePorts({ clock }),
    });
    expect(await run.outcome).toMatchObject({ status: 'completed', text: 'from b' });
    expect([lane.asked, first.requests.length, clock.now()]).toEqual([1, 0, begun]);
    expect(run.events.find((event) => event.type === 'model-end')?.requests).toMatchObject([
      { model: 'a', status: 'refused', failure: { code: 'model-rate-limit', retryAfterMs: 90_000 } },
      { status: 'ok' },
    ]);
  });

  test.each([
    ['fails at once when that is longer than a call may take', 3_600_000, 1, 0],
    ['is tried again when it said, for as long as a call may take in all', 90_000, 7, 540_000],
    ['that names hardly any time is not tried all the time', 1, 600, 599_000],
  ])('of the only model %s', async (_, retryAfterMs, asked, tookMs) => {
    const clock = new FakeClock();
    const lane = refusing(retryAfterMs);
    const model = modelOn(lane, clock, ['never']);
    const limits = { maxRetries: 2 };
    const { outcome } = start({ ...agent('lead', []), model, limits }, 'go', { ports: fakePorts({ clock }) });
    expect(await inItsTime(clock, outcome)).toMatchObject({ status: 'failed', failure: { class: 'rate_limit' } });
    expect(lane.asked).toBeGreaterThanOrEqual(asked);
    expect(lane.asked).toBeLessThanOrEqual(asked + 1);
    expect([model.requests.length, clock.now() - begun]).toEqual([0, expect.closeTo(tookMs, -4)]);
    expect(clock.timers).toBe(0);
  });

  /** Turns back the first so many, then lets in. */
  const hesitant = (times: number, retryAfterMs: number): Lane & { asked: number } => ({
    asked: 0,
    enter() {
      if (this.asked++ >= times) return () => {};
      return Promise.reject(new AgentError('model-rate-limit', 'Not now.', { retryAfterMs }));
    },
  });

  test('that turns back counts no request, no failed try and no time', async () => {
    const clock = new FakeClock();
    const lane = hesitant(3, 90_000);
    const model = modelOn(lane, clock, [{ fail: { code: 'model-unavailable' } }, { text: 'there', latencyMs: 1_000 }]);
    const lead = { ...agent('lead', []), model, limits: { maxRetries: 2 }, budget: { timeMs: 10_000 } };
    const { outcome: ended, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
    const outcome = await inItsTime(clock, ended);
    expect(outcome).toMatchObject({ status: 'completed', text: 'there' });
    expect(clock.now() - begun).toBeGreaterThan(270_000);
    expect(outcome.ledger.entries).toMatchObject([{ status: 'failed' }, { status: 'ok' }]);
    expect(events.find((event) => event.type === 'model-end')).toMatchObject({ startedAt: begun + 270_000 });
    expect(model.requests).toHaveLength(2);
  });

  test('that turns back before the last request does so too', async () => {
    const clock = new FakeClock();
    const model = modelOn(hesitant(1, 90_000), clock, ['there']);
    const lead = { ...agent('lead', []), model, limits: { maxRetries: 1 } };
    const { outcome } = start(lead, 'go', { ports: fakePorts({ clock }) });
    expect(await inItsTime(clock, outcome)).toMatchObject({ status: 'completed', text: 'there' });
    expect(clock.now() - begun).toBe(90_000);
  });

  test('that turns back for a moment is not waited for when there is another model', async () => {
    const clock = new FakeClock();
    const first = modelOn(hesitant(1, 2_000), clock, ['never'], 'a');
    const run = start({ ...agent('lead', []), model: [first, scriptedModel(['from b'])] }, 'go', {
      ports: fakePorts({ clock }),
    });
    expect(await run.outcome).toMatchObject({ status: 'completed', text: 'from b' });
    expect(clock.now()).toBe(begun);
  });

  test.each(['cancel', 'stop'] as const)('that turned back is left at once with a %s', async (end) => {
    const clock = new FakeClock();
    const lane = hesitant(1, 90_000);
    const model = modelOn(lane, clock, ['last word']);
    const run = start({ ...agent('lead', []), model }, 'go', { ports: fakePorts({ clock }) });
    while (clock.timers === 0) await nextTick();
    run[end]();
    const outcome = await run.outcome;
    expect(outcome.status).toBe(end === 'cancel' ? 'cancelled' : 'partial');
    expect([clock.now() - begun, clock.timers]).toEqual([0, 0]);
  });
});
