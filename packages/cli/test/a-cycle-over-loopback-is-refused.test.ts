// The promise: an agent that asks itself over HTTP, straight or by way of others, is refused, and its model reads why; levels count on
// over HTTP as they do within a process, and end at maxDepth.

import { asTool } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import { ledgerOf, opTreeOf } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { caller, ownServer } from './support/own-server.ts';

test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '127.0.0.2'])('itself, at %s', async (host) => {
  const { url } = await ownServer((at) => [caller('a', [`http://${host}:${new URL(at).port}/v1/a`])], {
    host: '0.0.0.0',
  });
  expect(await ask(`${url}/v1/a`)).toBe('a(agent-cycle)');
});

test('itself, at the address of this machine in the newer protocol', async () => {
  const { url } = await ownServer((at) => [caller('a', [`${at}/v1/a`])], { host: '::1' });
  expect(url).toContain('[::1]');
  expect(await ask(`${url}/v1/a`)).toBe('a(agent-cycle)');
});

test('by way of another, and of a sub-agent', async () => {
  const { url, hall, ended } = await ownServer((at) => {
    const helper = { ...caller('helper', [`${at}/v1/a`, `${at}/v1/helper`]), description: 'helps' };
    const script = [{ calls: [{ name: 'helper', input: { text: 'go', reason: 'r' } }] }, 'b has heard'];
    const b = { name: 'b', instructions: 'Ask.', model: scriptedModel(script), tools: [asTool(helper)] };
    return [caller('a', [`${at}/v1/b`]), b, helper];
  });
  expect(await ask(`${url}/v1/a`)).toBe('a(b has heard)');
  const id = ended.find(({ head }) => head.agent === 'b')?.head.id ?? '';
  const told = await hall.store.facts(id, 0);
  expect(new Set(told.map(({ trace }) => trace.callPath))).toEqual(new Set(['a:b', 'a:b:helper']));
  const words = JSON.stringify(told);
  expect(words).toContain('a is already at work above: a → b → helper → a.');
  expect(words).toContain('helper is already at work above: a → b → helper → helper.');
  expect(Object.keys(ledgerOf(told).byPath)).toEqual(['a:b', 'a:b:helper']);
  expect(opTreeOf(told)).toMatchObject({ type: 'session', trace: { agentName: 'b', callPath: 'a:b', parentId: null } });
});

test('two servers: agents of one name with different ids are no cycle, one id is', async () => {
  const answers = await ownServer(() => [caller('a', [], { id: 'second' })]);
  const apart = await ownServer(() => [caller('a', [`${answers.url}/v1/a`], { id: 'first' })]);
  expect(await ask(`${apart.url}/v1/a`)).toBe('a(a)');
  expect(answers.ended[0]?.outcome?.ledger.entries[0]?.trace).toMatchObject({ callPath: 'a:a', agentId: 'second' });

  const { port } = answers;
  const ring = await ownServer((at) => [
    caller('a', [`${at}/v1/b`], { id: 'first' }),
    caller('b', [`http://127.0.0.1:${port}/v1/a`, `${at}/v1/a`]),
  ]);
  expect(await ask(`${ring.url}/v1/a`)).toBe('a(b(a, agent-cycle))');
});

test('a chain of levels ends where maxDepth says', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const { url } = await ownServer((at) =>
    names.map((name, i) => caller(name, i === 4 ? [] : [`${at}/v1/${names[i + 1]}`])),
  );
  expect(await ask(`${url}/v1/a`)).toBe('a(b(c(d(depth-limit))))');
  expect(await ask(`${url}/v1/b`)).toBe('b(c(d(e)))');
});

test('the limit of an agent counts those below itself, whoever calls', async () => {
  const leaf = { ...caller('leaf', []), description: 'd' };
  const delegate = [{ calls: [{ name: 'leaf', input: { text: 'go', reason: 'r' } }] }, 'b has heard'];
  for (const [maxDepth, isRefused] of [
    [0, true],
    [1, false],
  ] as const) {
    const model = scriptedModel(delegate);
    const b = { name: 'b', instructions: 'Ask.', model, tools: [asTool(leaf)], limits: { maxDepth } };
    const { url } = await ownServer((at) => [caller('a', [`${at}/v1/b`]), b]);
    expect(await ask(`${url}/v1/a`)).toBe('a(b has heard)');
    const result = JSON.stringify(model.requests.at(-1)?.messages.at(-1));
    expect(result.includes('This tree may have no sub-agents')).toBe(isRefused);
  }
});

async function ask(url: string): Promise<string> {
  const response = await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}?q=go`, { signal: AbortSignal.timeout(8_000) });
  return await response.text();
}
