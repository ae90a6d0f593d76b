// The promise: agents at work above a root, in another process or over a network, count as if they were in its tree: none of them is
// called below, levels count on from theirs, and traces name them. They can never give more.

import {
  type Above,
  type Agent,
  AIAgentSession,
  asTool,
  checkAbove,
  inProcess,
  ledgerOf,
  opTreeOf,
} from '@ai-agent/core';
import { fakePorts, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';

const call = (name: string) => ({ calls: [{ name, input: { text: 'go', reason: 'r' } }] });

function chain(maxDepth: number): Agent {
  const leaf = { name: 'leaf', description: 'd', instructions: 'i', model: scriptedModel(() => 'leaf said') };
  const script = ({ messages }: { messages: readonly { role: string }[] }) =>
    messages.at(-1)?.role === 'tool' ? 'mid said' : call('leaf');
  const mid = { name: 'mid', description: 'd', instructions: 'i', model: scriptedModel(script), tools: [asTool(leaf)] };
  const model = scriptedModel([call('mid'), 'root said']);
  return { name: 'root', instructions: 'i', model, tools: [asTool(mid)], limits: { maxDepth } };
}

async function run(agent: Agent, above?: Above) {
  const session = new AIAgentSession({
    agent,
    ports: fakePorts(),
    runtime: strict(inProcess),
    ...(above ? { above } : {}),
  });
  const started = session.run('go');
  const facts = [];
  for await (const event of started.events) if (event.kind === 'fact') facts.push(event);
  return { outcome: await started.outcome, facts };
}

const words = (value: unknown) => JSON.stringify(value);

describe('levels', () => {
  test.each<[string, Above, number]>([
    ['nobody', {}, 2],
    ['one by number', { depth: 1 }, 2],
    ['one by name', { agents: ['x'] }, 2],
    ['fewer by number than by name', { agents: ['x', 'y'], depth: 0 }, 1],
    ['more by number than by name', { agents: ['x'], depth: 2 }, 1],
    ['as many as there may be', { depth: 3 }, 0],
  ])('%s above', async (_, above, levels) => {
    const { facts, outcome } = await run(chain(3), above);
    expect(outcome.status).toBe('completed');
    const deepest = Math.max(...facts.map((fact) => (fact.type === 'session-start' ? fact.depth : 0)));
    expect(deepest).toBe(levels);
    expect(words(facts).includes('depth-limit')).toBe(levels < 2);
  });

  test.each([
    [0, 3],
    [2, 3],
    [3, 3],
    [5, 5],
  ])('one whose own limit is %i may be %i deep, and not deeper', (maxDepth, deepest) => {
    for (const depth of [0, 1, 2, 3, 4, 5, 6, 9_999]) {
      if (depth > deepest) expect(() => checkAbove(chain(maxDepth), { depth })).toThrow(`root may be ${deepest} deep`);
      else expect(checkAbove(chain(maxDepth), { depth })).toBeUndefined();
    }
  });

  test('its own limit counts those below itself, as that of a sub-agent does', async () => {
    const { facts } = await run(chain(1), { depth: 2 });
    expect(words(facts)).toContain('mid said');
    expect(words(facts)).not.toContain('leaf said');
    expect(words((await run(chain(0), { depth: 1 })).facts)).not.toContain('mid said');
  });
});

describe('names', () => {
  test('of those above are not called below, and the chain is told', async () => {
    const { facts } = await run(chain(3), { agents: ['leaf'] });
    expect(words(facts)).toContain('leaf is already at work above you: leaf → root → mid → leaf.');
    expect(words(facts)).not.toContain('leaf said');
  });

  test('stand in every path, and nowhere else: the root is the root', async () => {
    const { facts, outcome } = await run(chain(3), { agents: ['x', 'y'], depth: 1 });
    expect(new Set(facts.map(({ trace }) => trace.callPath))).toEqual(new Set(['x:y:root', 'x:y:root:mid']));
    expect(facts[0]).toMatchObject({ type: 'session-start', depth: 0, trace: { parentId: null, agentName: 'root' } });
    expect(Object.keys(ledgerOf(facts).byPath)).toEqual(['x:y:root', 'x:y:root:mid']);
    expect(Object.keys(ledgerOf(facts).byName)).toEqual(['root', 'mid']);
    expect(words(opTreeOf(facts))).toContain('x:y:root:mid');
    expect(outcome.ledger.total).toEqual(ledgerOf(facts).total);
  });

  test('of the root itself are a cycle', () => {
    expect(() => checkAbove(chain(3), { agents: ['x', 'root', 'y'] })).toThrow('x → root → y → root');
  });
});

test.each([
  ['a text', 'x'],
  ['a list', ['x']],
  ['names that are none', { agents: [1] }],
  ['a number that is none', { depth: -1 }],
  ['a number with a fraction', { depth: 0.5 }],
  ['a key that nobody knows', { deep: 1 }],
])('%s is no such setting', (_, above) => {
  expect(() => new AIAgentSession({ agent: chain(1), ports: fakePorts(), above: above as Above })).toThrow('above');
});
