// A summary is made by the same model and inside the budget: reserved, counted, booked and shown like every call of the session.

import { finSummaryOf, opTreeOf } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { askedOf, isSummary, lookingFor, looks, silent, summing, window } from './support/long-talks.ts';
import { agent, inItsTime, start, walk } from './support/walk.ts';

const limits = { ...window, maxTurns: 100 };
const price = { input: 1, output: 2 };
const lead = (more = {}) =>
  agent(
    'lead',
    summing(lookingFor(12), () => ({ text: 'so far', usage: { inputTokens: 4_000, outputTokens: 50 }, costUsd: 0.5 })),
    {
      tools: [looks()],
      limits,
      ...more,
    },
  );

test('it is in the ledger and in all sums, once', async () => {
  const one = lead();
  const { outcome } = await walk(one);
  const { summaries, all } = askedOf(one);
  const entries = outcome.ledger.entries.filter(({ op }) => op.includes('summary'));
  expect(summaries.length).toBeGreaterThan(0);
  expect(entries).toHaveLength(summaries.length);
  expect(entries[0]).toMatchObject({ type: 'model', status: 'ok', provider: 'scripted', model: 'model', costUsd: 0.5 });
  expect(outcome.usage.modelCalls).toBe(all.length);
  expect(outcome.usage).toEqual(outcome.ledger.total);
  expect(outcome.usage.costUsd).toBeCloseTo(0.5 * summaries.length);
  expect(finSummaryOf(outcome.ledger).models).toMatchObject([{ subject: 'scripted/model', calls: all.length }]);
});

test('facts and tree show it as a step, before the turn whose number it has', async () => {
  const { events, outcome } = await walk(lead());
  const facts = events.filter((event) => event.kind === 'fact');
  const at = facts.findIndex((fact) => fact.type === 'turn-start' && fact.step === 'summary');
  expect(facts.slice(at, at + 5)).toMatchObject([
    { type: 'turn-start', step: 'summary', said: [], limit: null },
    { type: 'model-start', step: 'summary' },
    { type: 'model-end', step: 'summary', reply: { message: { content: [{ text: 'so far' }] } } },
    { type: 'turn-end', step: 'summary', summedUp: { from: expect.any(Number), request: 0 } },
    { type: 'turn-start' },
  ]);
  const [step, turn] = [facts[at], facts[at + 4]];
  expect(step?.type === 'turn-start' && step.turn).toBe(turn?.type === 'turn-start' && turn.turn);
  const tree = outcome.tree ?? opTreeOf(events);
  const node = tree?.turns.find((one) => one.step === 'summary');
  expect(node?.operations).toMatchObject([{ type: 'model', status: 'ok', output: 'so far' }]);
});

test('nothing of it is streamed, and it is no turn of the model', async () => {
  const { events } = await walk(lead({ limits: { ...limits, maxTurns: 13 } }));
  expect(events.some((event) => event.type === 'text-delta')).toBe(true);
  for (const event of events) if (event.type === 'text-delta') expect('so far').not.toContain(event.text);
  const end = events.at(-1);
  // Twelve turns that look, and the thirteenth, which is the last of maxTurns.
  expect(end?.type === 'session-end' && end.ending).toMatchObject({ status: 'partial', limit: 'maxTurns' });
});

test('who answers after others have failed sums up too', async () => {
  const dead = scriptedModel(() => ({ fail: { code: 'model-auth' } }), { model: 'dead' });
  const script = summing(lookingFor(8), () => ({ text: 'so far', usage: silent }));
  const alive = scriptedModel(script, { model: 'alive' });
  const { outcome } = await walk({ ...lead(), model: [dead, alive] });
  const entry = outcome.ledger.entries.findLast(({ op }) => op.includes('summary'));
  expect(entry).toMatchObject({ status: 'ok', model: 'alive' });
});

describe('a budget', () => {
  test('is kept with summaries in it', async () => {
    for (const tokens of [12_000, 30_000, 60_000, 120_000]) {
      const one = lead({ budget: { tokens } });
      const { outcome } = await walk(one);
      expect(['completed', 'partial']).toContain(outcome.status);
      expect(outcome.usage.inputTokens + outcome.usage.outputTokens).toBeLessThanOrEqual(tokens);
      expect(outcome.text).toMatch(/all of it|what I have/);
    }
  });

  test('that has no room for one is wrapped up as before', async () => {
    const free = lead();
    await walk(free);
    const before = askedOf(free).all.findIndex(isSummary);
    const one = lead({ budget: { turns: before + 1 } });
    const { outcome, events } = await walk(one);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
    expect(askedOf(one)).toMatchObject({ summaries: [], turns: { length: before + 1 } });
    const refused = events.find((event) => event.type === 'model-end' && event.step === 'summary');
    expect(refused).toMatchObject({ failure: { code: 'budget-exhausted', limit: 'turns' } });
    expect(events.some((event) => event.type === 'turn-end' && event.summedUp)).toBe(false);
  });

  test('in money counts it at the price of its model', async () => {
    const model = {
      ...scriptedModel(
        summing(lookingFor(12), () => ({ text: 'so far', usage: { inputTokens: 1_000, outputTokens: 100 } })),
      ),
      price,
    };
    const { outcome } = await walk({ ...lead(), model, budget: { costUsd: 1 } });
    const entry = outcome.ledger.entries.findLast(({ op }) => op.includes('summary'));
    expect(entry?.type === 'model' && entry.costUsd).toBeCloseTo(0.0012);
  });
});

test('who is told to stop meanwhile gives its last word, by that limit', async () => {
  let stop = () => {};
  const script = summing(lookingFor(12), () => {
    stop();
    return { text: 'so far', until: new Promise((resolve) => setTimeout(resolve, 20)) };
  });
  const one = agent('lead', script, { tools: [looks()], limits });
  const run = start(one);
  stop = run.stop;
  const outcome = await inItsTime(run.clock, run.outcome);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'stop', text: 'what I have' });
  expect(one.model.requests.filter(isSummary)).toHaveLength(1);
});

test('who is cancelled meanwhile ends at once', async () => {
  let cancel = () => {};
  const one = agent(
    'lead',
    summing(lookingFor(12), () => {
      cancel();
      return { text: 'so far', until: new Promise(() => {}) };
    }),
    { tools: [looks()], limits },
  );
  const run = start(one);
  cancel = run.cancel;
  const outcome = await inItsTime(run.clock, run.outcome);
  expect(outcome).toMatchObject({ status: 'cancelled' });
  expect(outcome.ledger.entries.at(-1)).toMatchObject({ type: 'model', status: 'cancelled' });
});
