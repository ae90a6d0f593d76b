// Money is what a provider reported, or what a price makes of counted tokens; anything else is unknown, and never zero.

import { type Agent, ask, asTool, finSummaryOf, type Model, type Outcome, type Price } from '@ai-agent/cli';
import type { ScriptedModel } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { throughEveryDoor } from './support/doors.ts';

const callTo = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });
const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };

/** The same model under another name: what it costs is asked by that. */
const named = async (agent: Promise<Agent>, model: string): Promise<Agent> => {
  const made = await agent;
  return { ...made, model: { ...(made.model as Model), model } };
};

const totalOf = (outcome: Outcome) => finSummaryOf(outcome.ledger).lines.at(-1);
const requestsOf = (agent: Agent) => (agent.model as ScriptedModel).requests.length;

throughEveryDoor('money that nobody knows stays unknown', (door) => {
  const { runtime } = door;
  /** One answer of one agent, under a price. */
  const costOf = async (price: Price | 'reported' | undefined, step: object) => {
    const agent = await door.agent('lead', () => ({ text: 'x', ...step }));
    const outcome = await ask(agent, 'go', { runtime, ports: { prices: () => price } });
    const [entry] = outcome.ledger.entries;
    return { outcome, costUsd: entry?.type === 'model' ? entry.costUsd : undefined };
  };

  test('prices are per million tokens, and what a cache gave or took has its own', async () => {
    const price = { input: 2, output: 10 };
    expect((await costOf(price, { usage })).costUsd).toBeCloseTo(2 + 1);
    const cached = { usage: { ...usage, cacheReadTokens: 600_000, cacheWriteTokens: 100_000 } };
    expect((await costOf(price, cached)).costUsd).toBeCloseTo(2 + 1);
    // The adapter of this provider reads no writes to a cache: they are plain input there.
    const written = door.name === 'http' ? 0.1 * 2 : 0.1 * 4;
    const { costUsd, outcome } = await costOf({ ...price, cacheRead: 0.2, cacheWrite: 4 }, cached);
    expect(costUsd).toBeCloseTo(0.3 * 2 + 0.6 * 0.2 + written + 1);
    expect(outcome.usage.costUsd).toBeCloseTo(costUsd ?? Number.NaN);
    expect(totalOf(outcome)).toContain(`$${costUsd?.toFixed(4)}`);
  });

  test('without a price, or without counted tokens, the cost is unknown everywhere', async () => {
    for (const [price, step] of [
      [undefined, { usage }],
      ['reported', { usage }],
      [{ input: 2, output: 10 }, { usage: {} }],
    ] as const) {
      const { outcome, costUsd } = await costOf(price, step);
      expect(costUsd).toBeUndefined();
      expect(outcome.usage).toMatchObject({ costUsd: 0, unknownCostCalls: 1 });
      expect(totalOf(outcome)).toContain('cost unknown');
      expect(finSummaryOf(outcome.ledger).models[0]).toMatchObject({ costUsd: 0, unknownCostCalls: 1 });
    }
  });

  test('a free model is known to cost nothing', async () => {
    const { outcome, costUsd } = await costOf({ input: 0, output: 0 }, { usage });
    expect([costUsd, outcome.usage.unknownCostCalls]).toEqual([0, 0]);
    expect(totalOf(outcome)).toContain('$0.0000');
  });

  test('a sum that misses a child says so', async () => {
    const child = await named(
      door.agent('child', () => ({ text: 'x', usage })),
      'nobody-knows',
    );
    const lead = await door.agent(
      'lead',
      (request) => ({ usage, ...(request.messages.length > 1 ? { text: 'ok' } : { calls: [callTo('child')] }) }),
      { tools: [asTool(child)] },
    );
    const prices = (_: string, model: string) => (model === 'model' ? { input: 1, output: 0 } : undefined);
    const outcome = await ask(lead, 'go', { runtime, ports: { prices } });
    expect(outcome.usage).toMatchObject({ costUsd: 2, unknownCostCalls: 1, modelCalls: 3 });
    expect(outcome.ledger.byName).toMatchObject({ child: { costUsd: 0, unknownCostCalls: 1 }, lead: { costUsd: 2 } });
    expect(totalOf(outcome)).toContain('$2.0000+? (1 request of unknown cost)');
  });

  test('a budget of money without a price fails before anything costs money', async () => {
    const lead = await door.agent('lead', () => 'never', { budget: { costUsd: 1 } });
    const outcome = await ask(lead, 'go', { runtime });
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'price-unknown' } });
    expect(outcome).toMatchObject({ failure: { message: expect.stringContaining('scripted/model') } });
    const asked = await ask({ ...lead, budget: {} }, 'go', { runtime, budget: { costUsd: 1 } });
    expect(asked).toMatchObject({ status: 'failed', failure: { code: 'price-unknown' } });
    expect(requestsOf(lead)).toBe(0);
  });

  test('of a child it is a result, whoever of those above counts money; the caller goes on', async () => {
    for (const counts of ['lead', 'child']) {
      const budget = { costUsd: 1 };
      const child = await named(
        door.agent('child', () => 'never', counts === 'child' ? { budget } : {}),
        'nobody-knows',
      );
      const lead = await door.agent(
        'lead',
        (request) => (request.messages.length > 1 ? 'made do' : { calls: [callTo('child')] }),
        { tools: [asTool(child)], ...(counts === 'lead' ? { budget } : {}) },
      );
      const prices = (_: string, model: string) => (model === 'model' ? { input: 1, output: 1 } : undefined);
      const outcome = await ask(lead, 'go', { runtime, ports: { prices } });
      expect(outcome).toMatchObject({ status: 'completed', text: 'made do' });
      expect(JSON.stringify(outcome.conversations[outcome.sessionId])).toMatch(
        /Failed \(config\): No price for scripted\/nobody-knows, so the costUsd of a budget over child cannot be enforced/,
      );
      expect(requestsOf(child)).toBe(0);
    }
  });

  test('a list of prices that breaks is one that does not know', async () => {
    const prices = () => {
      throw new TypeError('the list is down');
    };
    const lead = await door.agent('lead', () => 'fine');
    const outcome = await ask(lead, 'go', { runtime, ports: { prices } });
    expect(outcome).toMatchObject({ status: 'completed', usage: { unknownCostCalls: 1 } });
    const strict = await ask(lead, 'go', { runtime, ports: { prices }, budget: { costUsd: 1 } });
    expect(strict).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'price-unknown' } });
  });

  test('a call that the budget refused was never made: it costs nothing, and that is known', async () => {
    const tool = { name: 'look', inputSchema: { type: 'object' }, execute: () => 'x' };
    const lead = await door.agent(
      'lead',
      (request) => (request.tools.length > 0 ? { text: 'a', calls: [{ name: 'look' }] } : 'enough'),
      { tools: [tool], budget: { turns: 2 } },
    );
    const outcome = await ask(lead, 'go', { runtime, ports: { prices: () => ({ input: 1, output: 1 }) } });
    expect(outcome).toMatchObject({ status: 'partial', usage: { unknownCostCalls: 0, unknownUsageCalls: 0 } });
    expect(outcome.ledger.total).toEqual(outcome.usage);
    expect(totalOf(outcome)).not.toContain('unknown');
  });
});

throughEveryDoor('what a provider reports wins', (door) => {
  // Over HTTP this kind of provider has no words for money: what it would say is put in by hand.
  const reporting = async (costs: readonly number[], more: Partial<Agent>): Promise<Agent> => {
    const tool = { name: 'look', inputSchema: { type: 'object' }, execute: () => 'x' };
    const agent = await door.agent(
      'lead',
      (request) => (request.tools.length > 0 ? { text: 'a', calls: [{ name: 'look' }] } : 'enough'),
      { tools: [tool], ...more },
    );
    const model = agent.model as Model;
    let calls = 0;
    const call: Model['call'] = async (...args) => ({ ...(await model.call(...args)), costUsd: costs[calls++] ?? 0 });
    return { ...agent, model: { ...model, call } };
  };

  test('over a price, in the ledger and against the budget', async () => {
    for (const price of ['reported', { input: 1, output: 1 }] as const) {
      const lead = await reporting([0.475, 0.475, 0.01], { budget: { costUsd: 1 }, limits: { maxTurns: 5 } });
      const outcome = await ask(lead, 'go', { runtime: door.runtime, ports: { prices: () => price } });
      expect(outcome.usage.costUsd).toBeCloseTo(0.96);
      expect(outcome.usage.unknownCostCalls).toBe(0);
      // What is only known afterwards leaves room for a last word; a price knows how much it will cost.
      const limit = price === 'reported' ? 'costUsd' : 'maxTurns';
      expect(outcome).toMatchObject({ status: 'partial', limit, text: 'enough' });
    }
  });
});
