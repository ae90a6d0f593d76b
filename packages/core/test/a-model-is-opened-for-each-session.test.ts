// A model with a source is opened anew for every session, with that session's own variables and nobody else's.

import { type Agent, asTool, type ModelSource } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

function source(opened: unknown[], says = 'done'): ModelSource {
  return {
    provider: 'acme',
    model: 'one',
    open({ env }) {
      opened.push(env);
      return { ...scriptedModel([says]), provider: 'acme', model: 'one' };
    },
  };
}

function lone(model: Agent['model']): Agent {
  return { name: 'lone', instructions: 'You work alone.', model };
}

test('each session opens it with its own variables', async () => {
  const opened: unknown[] = [];
  const model = source(opened);
  await Promise.all(['first', 'second'].map((KEY) => walk(lone(model), 'go', { envOverlay: { KEY } })));
  expect(opened).toEqual([{ KEY: 'first' }, { KEY: 'second' }]);
});

test('a sub-agent opens its own with the variables it was given, not with those of its caller', async () => {
  const opened: unknown[] = [];
  const child: Agent = { name: 'child', description: 'Helps', instructions: '', model: source(opened) };
  const script = [{ calls: [{ name: 'agent__child', input: { text: 'go', reason: 'why' } }] }, 'done'];
  const parent = agent('parent', script, { tools: [asTool(child, { envOverlay: { KEY: 'childs' } })] });
  await walk(parent, 'go', { envOverlay: { KEY: 'parents' } });
  expect(opened).toEqual([{ KEY: 'childs' }]);
});

test('it is known by its names in the ledger, and when it cannot be opened the next one answers', async () => {
  const broken: ModelSource = {
    provider: 'acme',
    model: 'broken',
    open: () => Promise.reject(new TypeError('no such thing')),
  };
  const { outcome } = await walk(lone([broken, source([], 'from the second')]));
  expect(outcome.text).toBe('from the second');
  expect(outcome.ledger.entries).toMatchObject([
    { provider: 'acme', model: 'broken', status: 'refused' },
    { provider: 'acme', model: 'one', status: 'ok' },
  ]);
});

test('alone, what cannot be opened ends the session before it costs anything', async () => {
  const { outcome } = await walk(lone({ provider: 'acme', model: 'x', open: () => undefined as never }));
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'model-unknown', class: 'config' } });
  expect('failure' in outcome && outcome.failure.message).toContain('acme/x');
});

test('what has neither call nor open is refused before anything runs', async () => {
  await expect(walk(lone({ provider: 'acme', model: 'x' } as never))).rejects.toThrow(/call or, to be opened, open/);
});

test('one that is never opened ends the session in its time, or gives way to the next', async () => {
  const never: ModelSource = { provider: 'acme', model: 'never', open: () => new Promise(() => {}) };
  const alone = await walk({ ...lone(never), limits: { llmTimeoutMs: 50 } });
  expect(alone.outcome).toMatchObject({ status: 'failed', failure: { code: 'model-timeout', class: 'timeout' } });
  const second = await walk({ ...lone([never, source([], 'from the second')]), limits: { llmTimeoutMs: 50 } });
  expect(second.outcome.text).toBe('from the second');
});
