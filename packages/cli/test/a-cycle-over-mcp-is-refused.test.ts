// The promise: an agent that asks itself over the Model Context Protocol, straight or by way of others, is refused, and its model reads
// why; levels count on over every transport as they do within a process, and end at maxDepth.

import { ask, asTool } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import { describe, expect, test } from 'vitest';
import { mcpCaller, mcpWays, ownServer } from './support/own-server.ts';

const signal = () => AbortSignal.timeout(25_000);

describe.each(Object.entries(mcpWays))('over %s', (_name, way) => {
  test('itself, and by way of another', async () => {
    const { url, ended } = await ownServer((at) => [
      mcpCaller('a', way(at), ['a', 'b']),
      mcpCaller('b', way(at), ['a', 'b', 'c']),
      mcpCaller('c', way(at), []),
    ]);
    const { text } = await ask(mcpCaller('outside', way(url), ['a']), 'go', { signal: signal() });
    expect(text).toBe('outside(a(agent-cycle, b(agent-cycle, agent-cycle, c)))');
    expect(ended.map(({ head }) => head.agent).sort()).toEqual(['a', 'b', 'c']);
    // Also one above that does not run there.
    expect((await ask(mcpCaller('a', way(url), ['a', 'b']), 'go', { signal: signal() })).text).toBe(
      'a(agent-cycle, b(agent-cycle, agent-cycle, c))',
    );
  });

  test('by way of a sub-agent, under the names of the whole way', async () => {
    const { url, hall, ended } = await ownServer((at) => {
      const helper = mcpCaller('helper', way(at), ['b']);
      const script = [{ calls: [{ name: 'helper', input: { text: 'go', reason: 'r' } }] }, 'b has heard'];
      const b = { name: 'b', instructions: 'Ask.', model: scriptedModel(script), tools: [asTool(helper)] };
      return [mcpCaller('a', way(at), ['b']), b];
    });
    const { text } = await ask(mcpCaller('outside', way(url), ['a']), 'go', { signal: signal() });
    expect(text).toBe('outside(a(b has heard))');
    const id = ended.find(({ head }) => head.agent === 'b')?.head.id ?? '';
    const told = await hall.store.facts(id, 0);
    expect(new Set(told.map(({ trace }) => trace.callPath))).toEqual(new Set(['outside:a:b', 'outside:a:b:helper']));
    expect(JSON.stringify(told)).toContain('b is already at work above: outside → a → b → helper → b.');
  });

  test('a chain of levels ends where maxDepth says', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { url } = await ownServer((at) =>
      names.map((name, i) => mcpCaller(name, way(at), names.slice(i + 1, i + 2))),
    );
    const { text } = await ask(mcpCaller('outside', way(url), ['a']), 'go', { signal: signal() });
    expect(text).toBe('outside(a(b(c(depth-limit))))');
  });
});
