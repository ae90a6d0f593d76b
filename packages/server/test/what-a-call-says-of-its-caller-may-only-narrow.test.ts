// The promise: what a call of a tool says in its `_meta` of the agents above it is honoured as the headers of a request are, and may only
// narrow; what cannot be read is a failure that says so.

import type { Agent } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bothCallers, callerInMeta } from '../src/caller.ts';
import { createApp, Hall, mcp } from '../src/index.ts';
import { tokenOf } from '../src/token.ts';

describe('what cannot be read is refused', () => {
  test.each([
    ['ai-agent/depth', -1],
    ['ai-agent/depth', 1.5],
    ['ai-agent/depth', '1e3'],
    ['ai-agent/depth', 10_000],
    ['ai-agent/depth', Number.NaN],
    ['ai-agent/depth', null],
    ['ai-agent/depth', true],
    ['ai-agent/depth', [1]],
    ['ai-agent/depth', {}],
    ['ai-agent/ancestry', ''],
    ['ai-agent/ancestry', ['a']],
    ['ai-agent/ancestry', 'a::b'],
    ['ai-agent/ancestry', '%'],
    ['ai-agent/ancestry', 'a%0D%0Ab'],
    ['ai-agent/ancestry', 'a'.repeat(129)],
    ['ai-agent/ancestry', Array(129).fill('a').join(':')],
    ['ai-agent/tree', ''],
    ['ai-agent/tree', 'A'.repeat(32)],
    ['ai-agent/tree', { token: '0'.repeat(32) }],
  ])('%s: %j', (name, value) => {
    expect(() => callerInMeta({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'request-invalid', message: expect.stringContaining(name) }),
    );
  });
});

test('nothing, and what others put there, says nothing', () => {
  expect(callerInMeta(undefined)).toBeUndefined();
  expect(callerInMeta({ progressToken: 1, 'io.modelcontextprotocol/depth': 7 })).toBeUndefined();
  expect(callerInMeta(Object.create({ 'ai-agent/depth': 7 }))).toBeUndefined();
});

test('of two that speak of one call the narrower holds', () => {
  const one = callerInMeta({ 'ai-agent/depth': 1, 'ai-agent/ancestry': 'b', 'ai-agent/tree': '0'.repeat(32) });
  const other = callerInMeta({ 'ai-agent/depth': 3, 'ai-agent/ancestry': 'a:b' });
  const both = { agents: ['a', 'b'], depth: 3, token: '0'.repeat(32) };
  expect(bothCallers(one, other)).toEqual(both);
  expect(bothCallers(other, one)).toEqual(both);
  expect(bothCallers(undefined, one)).toBe(one);
  expect(bothCallers(one, undefined)).toBe(one);
});

describe.each(['auto', 'legacy'] as const)('a call of the revision that %s gives', (mode) => {
  test('is refused where its agent is above, where it is too deep, and where nobody can read it', async () => {
    const { call } = await open(mode);
    expect(await call('b')).toBe('b');
    expect(await call('b', { 'ai-agent/ancestry': 'x:y' })).toBe('b');
    expect(await call('b', { 'ai-agent/ancestry': 'x:b' })).toBe('agent-cycle');
    expect(await call('b', { 'ai-agent/depth': 4 })).toBe('depth-limit');
    expect(await call('b', { 'ai-agent/depth': 'deep' })).toBe('request-invalid');
  });

  test('is let in where there is no place left by the token of a tree that waits here, and then is as deep as that', async () => {
    const { call, hall, go } = await open(mode);
    const waiting = call('waits');
    await expect.poll(async () => (await hall.store.list({ owner: null, limit: 1 })).length).toBe(1);
    const [{ id = '' } = {}] = await hall.store.list({ owner: null, limit: 1 });
    expect(await call('b')).toBe('server-full');
    expect(await call('b', { 'ai-agent/tree': 'f'.repeat(32) })).toBe('server-full');
    expect(await call('b', { 'ai-agent/tree': tokenOf(id) })).toBe('b');
    expect(await call('waits', { 'ai-agent/tree': tokenOf(id), 'ai-agent/depth': 0 })).toBe('agent-cycle');
    go();
    expect(await waiting).toBe('waits');
  });
});

/** One place; gives what an agent said, or the code of its failure. */
async function open(mode: 'auto' | 'legacy') {
  const gate = Promise.withResolvers<void>();
  const agents: Agent[] = [
    { name: 'b', instructions: 'Go.', model: scriptedModel(() => 'b') },
    { name: 'waits', instructions: 'Wait.', model: scriptedModel(() => ({ text: 'waits', until: gate.promise })) },
  ];
  const hall = new Hall({
    agents: () => agents.map((agent) => ({ name: agent.name, agent })),
    ports: fakePorts(),
    places: { mcp: { running: 1, waiting: 0 } },
  });
  const headend = mcp();
  const app = createApp(hall, [headend]);
  const fetch = async (url: string | URL, init?: RequestInit) => await app.request(url, init);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }));
  onTestFinished(async () => {
    await client.close();
    await headend.close?.();
  });
  const call = async (name: string, _meta: Record<string, unknown> = {}): Promise<string> => {
    const result = await client.callTool({ name, arguments: { text: 'go' }, _meta });
    const told = result._meta?.['ai-agent/outcome'] as { readonly failure?: { readonly code: string } } | undefined;
    const [first] = result.content;
    return told?.failure?.code ?? (first?.type === 'text' ? first.text : '');
  };
  return { call, hall, go: () => gate.resolve() };
}
