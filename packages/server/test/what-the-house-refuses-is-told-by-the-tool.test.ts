// The promise: a call that cannot run is told why, by class, code, message and remedy, and when to come back; of the inside of the house nothing is told.

import type { Agent } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { type Hall, hashOf, type KeySettings, Keys } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { heldAgent, secretOf } from './support/governed.ts';
import { type Called, revisions, toolHouse } from './support/person-at-client.ts';

function keysOf(keys: Record<string, Omit<KeySettings, 'hash'>>) {
  const settings = Object.entries(keys).map(([name, key]) => [name, { ...key, hash: hashOf(secretOf(name)) }]);
  return (clock: Hall['clock']) => new Keys(Object.fromEntries(settings), clock);
}

function expectRefusal({ isError, texts, outcome }: Called, code: string): Called['outcome']['failure'] {
  expect(isError).toBe(true);
  expect(outcome).toMatchObject({ status: 'failed', failure: { code } });
  expect(texts[0]).toContain(outcome.failure?.message);
  expect(texts[0]).toContain(outcome.failure?.remedy);
  return outcome.failure;
}

describe.each(revisions)('in revision %s', (revision) => {
  test('no place is left', async () => {
    const { agent, started, release } = heldAgent('slow');
    const house = toolHouse(revision, [agent], { places: { mcp: { running: 1, waiting: 0 } } });
    const client = await house.connect();
    const first = client.call('slow', { text: 'one' });
    await expect.poll(started).toBe(1);
    const failure = expectRefusal(await client.call('slow', { text: 'two' }), 'server-full');
    expect(failure?.retryAfterMs).toBeGreaterThan(0);
    release();
    expect((await first).isError).toBe(false);
  });

  test('the key has called too often', async () => {
    const ports = fakePorts({ clock: new FakeClock(0) });
    const keys = keysOf({ ann: { agents: ['*'], requestsPerMinute: 1 } });
    const client = await toolHouse(revision, [agentOf('one', () => 'Said.')], { keys, ports }).connect({
      key: secretOf('ann'),
    });
    expect((await client.call('one', { text: 'Go.' })).isError).toBe(false);
    const failure = expectRefusal(await client.call('one', { text: 'Go.' }), 'too-many-requests');
    expect(failure?.retryAfterMs).toBeGreaterThan(0);
  });

  test('the key has spent what it may', async () => {
    const ports = fakePorts({ clock: new FakeClock(0) });
    const keys = keysOf({ ann: { agents: ['*'], allowance: { tokens: 1, per: 'hour' } } });
    const usage = { inputTokens: 5, outputTokens: 5 };
    const agents = [agentOf('one', () => ({ text: 'Said.', usage }))];
    const client = await toolHouse(revision, agents, { keys, ports }).connect({ key: secretOf('ann') });
    await client.call('one', { text: 'Go.' });
    const failure = expectRefusal(await client.call('one', { text: 'Go.' }), 'allowance-spent');
    expect(failure?.retryAfterMs).toBeGreaterThan(0);
  });

  test('the house is closing', async () => {
    const house = toolHouse(revision, [agentOf('one', () => 'Said.')]);
    const client = await house.connect();
    await house.hall.stop(0);
    const failure = expectRefusal(await client.call('one', { text: 'Go.' }), 'server-stopping');
    expect(failure?.retryAfterMs).toBeGreaterThan(0);
  });

  test('the agent is at work above', async () => {
    const house = toolHouse(revision, [agentOf('one', () => 'Said.')]);
    const above = { 'x-ai-agent-ancestry': 'one', 'x-ai-agent-depth': '1' };
    const client = await house.connect({ headers: above });
    expectRefusal(await client.call('one', { text: 'Go.' }), 'agent-cycle');
    const deep = await house.connect({ headers: { 'x-ai-agent-depth': '9999' } });
    expectRefusal(await deep.call('one', { text: 'Go.' }), 'depth-limit');
    const wrong = await house.connect({ headers: { 'x-ai-agent-depth': 'deep' } });
    expectRefusal(await wrong.call('one', { text: 'Go.' }), 'request-invalid');
  });

  test('what nobody foresaw goes to whoever runs the house, and no word of it to the client', async () => {
    const bugs: unknown[] = [];
    const broken: Agent = agentOf('one', () => 'Said.');
    const store = {
      put() {},
      append() {},
      get: () => {
        throw new Error('The secret place is /srv/inside.');
      },
      facts: () => [],
      list: () => [],
      claim: () => true,
      delete: () => false,
    };
    const house = toolHouse(revision, [broken], { store, onBug: (error) => bugs.push(error) });
    const client = await house.connect();
    const called = await client.call('one', { resume: 's1', answer: 'a' });
    expect(expectRefusal(called, 'internal')).toMatchObject({
      class: 'bug',
      message: 'The server could not answer this request.',
    });
    expect(JSON.stringify(called)).not.toContain('inside');
    expect(bugs).toHaveLength(1);
  });

  test('a tool that the key may not call is one that does not exist', async () => {
    const agents = [agentOf('mine', () => 'Said.'), agentOf('theirs', () => 'Said.')];
    const keys = keysOf({ ann: { agents: ['mine'] } });
    const client = await toolHouse(revision, agents, { keys }).connect({ key: secretOf('ann') });
    const errorOf = (name: string) =>
      client.call(name, { text: 'Go.' }).then(
        () => 'it ran',
        (error: { code: number; message: string }) => [error.code, error.message.replaceAll(name, 'NAME')],
      );
    const forbidden = await errorOf('theirs');
    expect(forbidden).toEqual([-32_602, expect.stringContaining('Unknown tool: NAME')]);
    expect(await errorOf('nobody')).toEqual(forbidden);
    expect(await errorOf('miine')).toEqual([-32_602, expect.stringContaining('Did you mean mine?')]);
  });
});
