// The promise: an answer that is kept is given again to the key that asked, and to no other; so are results of tools.

import { MemoryCache } from '@ai-agent/core';
import { FakeClock, type ScriptedModel, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { governed } from './support/governed.ts';

const keys = { anna: {}, ben: {} };

test('whole answers', async () => {
  const model: ScriptedModel = scriptedModel((_, call) => `Answer ${call}.`);
  const agent = { name: 'echo', instructions: 'Answer.', model, cache: { ttlMs: 60_000 } };
  const { ask } = governed({ agents: [agent], keys, ports: { cache: new MemoryCache(new FakeClock()) } });
  const said = async (key: string) => (await ask(key)).text();
  expect([await said('anna'), await said('anna')]).toEqual(['Answer 1.', 'Answer 1.']);
  expect([await said('ben'), await said('ben')]).toEqual(['Answer 2.', 'Answer 2.']);
  expect(await said('anna')).toBe('Answer 1.');
});

test('results of tools', async () => {
  let looked = 0;
  const tool = {
    name: 'look',
    description: 'd',
    inputSchema: { type: 'object' },
    cache: { key: 'look', ttlMs: 60_000 },
    execute: () => `Look ${++looked}.`,
  };
  const model = scriptedModel((_, call) => (call % 2 === 1 ? { calls: [{ name: 'look', input: {} }] } : 'Done.'));
  const agent = { name: 'echo', instructions: 'Answer.', model, tools: [tool] };
  const { ask } = governed({ agents: [agent], keys, ports: { cache: new MemoryCache(new FakeClock()) } });
  for (const key of ['anna', 'anna', 'ben', 'anna', 'ben']) expect((await ask(key)).status).toBe(200);
  expect(looked).toBe(2);
});
