// Many sessions, few requests a minute, and refusals that name any wait or none: all are served; and of a dead one all hear.

import { AgentError, AIAgentSession, type Model, type ModelReply, type Outcome } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { Account } from '../src/lanes/account.ts';
import type { ModelLane } from '../src/lanes/lane.ts';
import { busyProvider, refuse } from './support/busy-provider.ts';
import { crowd, modelsOf, providerAt } from './support/sessions.ts';

const nothing = new Headers();
const reply: ModelReply = {
  message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
  finishReason: 'stop',
  usage: { inputTokens: 10, outputTokens: 5 },
};
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Provider {
  /** Requests that it serves in each minute of the clock. */
  readonly perMinute: number;
  readonly saysMs?: number | undefined;
  readonly repliesAfterMs?: number;
}

/** A model of it on this lane, which counts what it is asked and what it refuses. */
function modelOf(clock: FakeClock, lane: ModelLane, { perMinute, saysMs, repliesAfterMs = 3_000 }: Provider) {
  const begun = clock.now();
  const passing = (durationMs: number) => new Promise<void>((resolve) => clock.after(durationMs, resolve));
  let [minute, used] = [0, 0];
  const counts = { asked: 0, refused: 0 };
  const call = async () => {
    const order = lane.send();
    counts.asked++;
    await passing(20);
    const current = Math.floor((clock.now() - begun) / 60_000);
    if (current !== minute) [minute, used] = [current, 0];
    if (used++ >= perMinute) {
      counts.refused++;
      lane.hear({ ok: false, headers: nothing }, order);
      const error = new AgentError('model-rate-limit', 'No', saysMs === undefined ? {} : { retryAfterMs: saysMs });
      lane.failed(error);
      throw error;
    }
    lane.hear({ ok: true, headers: nothing }, order);
    await passing(repliesAfterMs);
    return reply;
  };
  const model: Model = { provider: 'mine', model: 'a', lane, call };
  return { model, counts };
}

/** So many sessions at once, until all have ended. */
async function served(sessions: number, provider: Provider) {
  const clock = new FakeClock();
  const begun = clock.now();
  const account = new Account({ provider: 'mine', clock, now: () => clock.now() });
  const { model, counts } = modelOf(clock, account.lane('a'), provider);
  const ended: Outcome[] = [];
  for (let i = 0; i < sessions; i++) {
    const agent = { name: 'lead', instructions: 'You answer.', model };
    const { outcome } = new AIAgentSession({ agent, ports: fakePorts({ clock }) }).run('go');
    void outcome.then((one) => ended.push(one));
  }
  while (ended.length < sessions && clock.now() - begun < 3_600_000) {
    for (let i = 0; i < 3; i++) await tick();
    if (ended.length < sessions && clock.nextAt !== undefined) clock.advance(clock.nextAt - clock.now());
  }
  const completed = ended.filter(({ status }) => status === 'completed').length;
  expect([account.holders, account.waiting]).toEqual([0, 0]);
  return { ...counts, ended: ended.length, completed, tookMs: clock.now() - begun };
}

describe('sixty sessions, twenty a minute', () => {
  test.each([
    ['no wait', undefined],
    ['a wait of nothing', 0],
    ['a wait of 6 ms', 6],
    ['a wait of a second', 1_000],
    ['a wait of 20 s', 20_000],
  ])('are all served when refusals name %s', async (_, saysMs) => {
    const { completed, refused, tookMs } = await served(60, { perMinute: 20, saysMs });
    expect(completed).toBe(60);
    // Forty at once before anybody knew.
    expect(refused).toBeLessThan(60);
    expect(tookMs).toBeLessThan(180_000);
  });

  test('are all served when replies take longer than a minute', async () => {
    expect((await served(60, { perMinute: 20, repliesAfterMs: 90_000 })).completed).toBe(60);
  });
});

test.each([undefined, 0, 1_000])(
  'of a provider that refuses everybody (wait %s) all hear within their time, for no more than their requests',
  async (saysMs) => {
    const { ended, completed, asked, tookMs } = await served(40, { perMinute: 0, saysMs });
    expect([ended, completed]).toEqual([40, 0]);
    expect(asked).toBeLessThanOrEqual(120);
    // A minute until it is known, the ten of llmTimeout, and the pauses of the requests themselves.
    expect(tookMs).toBeLessThan(15 * 60_000);
  },
);

test('over real sockets: ten in two seconds serve thirty, whatever the provider promises', async () => {
  const served = new Map<number, number>();
  const message = 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29900. Please try again in 6ms.';
  const provider = await busyProvider((_, response, { at }) => {
    const window = Math.floor(at / 2_000);
    served.set(window, (served.get(window) ?? 0) + 1);
    if ((served.get(window) ?? 0) <= 10) return undefined;
    return refuse(response, {}, { body: { error: { message, type: 'tokens', code: 'rate_limit_exceeded' } } });
  }, 20);
  const models = modelsOf({ mine: providerAt(provider.baseUrl) });
  const outcomes = await Promise.all(crowd(30, models, 'mine/a').map(({ outcome }) => outcome));
  expect(outcomes.filter(({ status }) => status === 'completed')).toHaveLength(30);
}, 30_000);
