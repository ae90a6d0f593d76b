// The promise: what a call costs is what its provider reports, else by the price of the port, else by the model's own.

import { type Agent, AgentError, type Model, type ModelSource, type Price, type PriceResolver } from '@ai-agent/core';
import { fakePorts, type Step, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { walk } from './support/walk.ts';

const usage = { inputTokens: 1_000_000, outputTokens: 0 };

const costBy = async (given: Partial<Pick<Model, 'price'>>, prices?: PriceResolver, more: Step & object = {}) => {
  const model = { ...scriptedModel([{ text: 'ok', usage, ...more }]), ...given };
  const lead: Agent = { name: 'lead', instructions: 'x', model, budget: { costUsd: 100 } };
  const { outcome } = await walk(lead, 'go', { ports: fakePorts(prices ? { prices } : {}) });
  return outcome;
};

const own: Price = { input: 3, output: 3 };
const listed: Price = { input: 5, output: 5 };

test.each<[string, Price | undefined, PriceResolver | undefined, number]>([
  ['the model knows, and there is no port', own, undefined, 3],
  ['the model knows, and the port does not', own, () => undefined, 3],
  ['both know: the port has the first word', own, () => listed, 5],
  ['the port alone', undefined, async () => listed, 5],
])('%s', async (_, price, prices, costUsd) => {
  const outcome = await costBy(price ? { price } : {}, prices);
  expect(outcome).toMatchObject({ status: 'completed', usage: { costUsd, unknownCostCalls: 0 } });
});

test('what the provider reports beats both', async () => {
  for (const prices of [() => listed, () => undefined, () => 'reported' as const])
    expect(await costBy({ price: own }, prices, { costUsd: 0.25 })).toMatchObject({ usage: { costUsd: 0.25 } });
});

test('a port that says the provider reports it is not overruled by the model', async () => {
  expect(await costBy({ price: own }, () => 'reported')).toMatchObject({ usage: { costUsd: 0, unknownCostCalls: 1 } });
});

test('a port that fails leaves the word to the model', async () => {
  const broken = () => {
    throw new TypeError('no table today');
  };
  expect(await costBy({ price: own }, broken)).toMatchObject({ status: 'completed', usage: { costUsd: 3 } });
});

test('neither knows: money that is counted is refused', async () => {
  expect(await costBy({}, () => undefined)).toMatchObject({ status: 'failed', failure: { code: 'price-unknown' } });
  expect(await costBy({})).toMatchObject({ status: 'failed', failure: { code: 'price-unknown' } });
});

test('a price that the model has wrong is named', async () => {
  const outcome = await costBy({ price: { input: Number.NaN, output: 1 } });
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'agent-invalid' } });
  expect(outcome.status === 'failed' && outcome.failure.message).toContain('prices of scripted/model: input is NaN');
});

test('it is the price of when the session opened, and each session asks anew', async () => {
  let input = 1;
  const model: Model = {
    ...scriptedModel(() => ({ text: 'ok', usage })),
  };
  Object.defineProperty(model, 'price', { get: () => ({ input: input++, output: 1 }) });
  const lead: Agent = { name: 'lead', instructions: 'x', model };
  expect((await walk(lead)).outcome.usage.costUsd).toBe(1);
  expect((await walk(lead)).outcome.usage.costUsd).toBe(2);
});

describe('a model of the list that could not be made', () => {
  const team = (open: ModelSource['open']): Agent => ({
    name: 'lead',
    instructions: 'x',
    model: [
      { provider: 'house', model: 'late', open },
      { ...scriptedModel(() => ({ text: 'ok', usage })), price: own },
    ],
    budget: { costUsd: 100 },
  });

  test('does not keep the others from counting money', async () => {
    const shut = () => {
      throw new AgentError('secret-missing', 'Missing: KEY');
    };
    const { outcome, events } = await walk(team(shut));
    expect(outcome).toMatchObject({ status: 'completed', usage: { costUsd: 3 } });
    const requests = [
      { model: 'late', failure: { code: 'secret-missing' } },
      { model: 'model', status: 'ok' },
    ];
    expect(events.find(({ type }) => type === 'model-end')).toMatchObject({ model: 'model', requests });
  });

  test('is not asked when it is there later, as long as nobody knows its price', async () => {
    const late = scriptedModel(['for nothing'], { provider: 'house', model: 'late' });
    let tries = 0;
    const { outcome, events } = await walk(
      team(async () => {
        if (tries++ === 0) throw new AgentError('secret-missing', 'Missing: KEY');
        return late;
      }),
    );
    expect(outcome).toMatchObject({ status: 'completed', text: 'ok', usage: { costUsd: 3 } });
    expect(late.requests).toHaveLength(0);
    const requests = [{ model: 'late', failure: { code: 'price-unknown' } }, { status: 'ok' }];
    expect(events.find(({ type }) => type === 'model-end')).toMatchObject({ requests });
  });
});
