// The promise: of a list of models, each is asked only what fits its window; and a session wraps up for the one it has.

import { type Agent, ask, defineTool, type Model, type ModelRequest } from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { inItsTime, walk } from './support/walk.ts';

interface Sized extends Model {
  readonly requests: readonly ModelRequest[];
}

const sized = (name: string, contextWindowTokens: number, script: Script, more: Partial<Model> = {}): Sized => ({
  ...scriptedModel(script, { model: name }),
  contextWindowTokens,
  ...more,
});

const broken = () => ({ fail: { code: 'model-auth' as const, message: 'no such key' } });
const long = 'word '.repeat(4_000);

const lead = (models: readonly Model[], more: Partial<Agent> = {}): Agent => ({
  name: 'lead',
  instructions: 'You lead.',
  model: models,
  limits: { contextBufferTokens: 500, maxTurns: 40 },
  compaction: false,
  ...more,
});

/** Looks as long as it may; nothing is counted for us. */
const looking: Script = ({ tools }) =>
  tools.length === 0 ? { text: 'what I have', usage: {} } : { calls: [{ name: 'look' }], usage: {} };
const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'word '.repeat(700) });

describe('a model that cannot take it is passed over', () => {
  test('for one after it that can', async () => {
    const [small, large] = [sized('small', 2_000, ['small']), sized('large', 20_000, ['large'])];
    const { outcome, events } = await walk(lead([small, large]), long);
    expect(outcome).toMatchObject({ status: 'completed', text: 'large' });
    expect(small.requests).toHaveLength(0);
    const requests = [{ model: 'large', status: 'ok' }];
    expect(events.find(({ type }) => type === 'model-end')).toMatchObject({ model: 'large', requests });
  });

  test('when the one before it fails: what is told is that failure', async () => {
    const [large, small] = [sized('large', 20_000, broken), sized('small', 2_000, ['small'])];
    const { outcome } = await walk(lead([large, small]), long);
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'model-auth', message: 'no such key' } });
    expect(small.requests).toHaveLength(0);
  });

  test('and asked as ever while it fits', async () => {
    const [large, small] = [sized('large', 20_000, broken), sized('small', 2_000, ['small'])];
    expect((await walk(lead([large, small]), 'short')).outcome).toMatchObject({ status: 'completed', text: 'small' });
  });

  test('who has little room left to answer is asked last', async () => {
    const models = (large: Script) => [sized('tight', 6_200, ['tight']), sized('large', 20_000, large)];
    expect((await walk(lead(models(['large'])), long)).outcome).toMatchObject({ text: 'large' });
    expect((await walk(lead(models(broken)), long)).outcome).toMatchObject({ status: 'completed', text: 'tight' });
  });

  test('when nobody can, only the roomiest may say so', async () => {
    const [small, large] = [sized('small', 1_024, ['small']), sized('large', 2_000, ['large'])];
    expect((await walk(lead([small, large]), long)).outcome).toMatchObject({ status: 'completed', text: 'large' });
    expect(small.requests).toHaveLength(0);
  });
});

describe('the last turn comes', () => {
  const turnsOf = async (models: readonly Sized[]) => {
    const { outcome } = await walk(lead(models, { tools: [look] }));
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
    return models.map(({ requests }) => requests.length);
  };

  test('when the roomiest is full: the others are left behind before', async () => {
    const [small = 0, large = 0] = await turnsOf([sized('small', 6_000, looking), sized('large', 20_000, looking)]);
    expect(small).toBeGreaterThan(1);
    expect(large).toBeGreaterThan(small);
  });

  test('when the one that answers is full, if those before it are of no use', async () => {
    const [dead = 0, small = 0] = await turnsOf([sized('dead', 100_000, broken), sized('small', 6_000, looking)]);
    expect(small).toBe(dead);
    const [alone] = await turnsOf([sized('small', 6_000, looking)]);
    expect(small).toBe(alone);
  });

  test('earlier by what the model itself wants free', async () => {
    const turnsWith = async (more: Partial<Model>) => (await turnsOf([sized('m', 20_000, looking, more)]))[0] ?? 0;
    const [agents, none, much] = [
      await turnsWith({}),
      await turnsWith({ contextBufferTokens: 0 }),
      await turnsWith({ contextBufferTokens: 10_000 }),
    ];
    expect(much).toBeLessThan(agents);
    expect(none).toBeGreaterThanOrEqual(agents);
  });

  test('not at once in a window that is smaller than the usual buffer', async () => {
    const model = sized('small', 8_000, looking);
    const { outcome } = await walk({ ...lead([model], { tools: [look] }), limits: { maxTurns: 40 } });
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens' });
    expect(model.requests.length).toBeGreaterThan(2);
  });
});

test('one failure of the larger model ends nothing', async () => {
  let calls = 0;
  const large = sized('large', 200_000, (request, call) => {
    calls++;
    if (call === 2) return { fail: { code: 'model-auth', message: 'for once' } };
    return calls > 6 ? 'all of it' : looking(request, call);
  });
  const small = sized('small', 4_000, looking);
  const { outcome } = await walk(lead([large, small], { tools: [look] }));
  expect(outcome).toMatchObject({ status: 'completed', text: 'all of it' });
});

test('a reply that has to be shorter leaves room for what the server adds', async () => {
  const only = sized('only', 8_192, ['done']);
  expect((await walk(lead([only], { limits: {} }), 'hi')).outcome.status).toBe('completed');
  const asked = only.requests[0]?.settings.maxOutputTokens ?? 0;
  expect(asked).toBeLessThan(8_192 - 200);
  expect(asked).toBeGreaterThan(7_000);
});

test('a model that cannot be found in time gives way to the next', async () => {
  const never: Model = { ...scriptedModel(['x']), call: () => expect.unreachable() };
  const models = (ref: string): Promise<Model> => (ref === 'slow/a' ? new Promise(() => {}) : Promise.resolve(never));
  const clock = new FakeClock();
  const agent = lead([], {
    model: ['slow/a', scriptedModel(['here'])],
    limits: { llmTimeoutMs: 1_000, maxRetries: 1 },
  });
  const outcome = await inItsTime(clock, ask(agent, 'go', { ports: { ...fakePorts({ clock }), models } }));
  expect(outcome).toMatchObject({ status: 'completed', text: 'here' });
});
