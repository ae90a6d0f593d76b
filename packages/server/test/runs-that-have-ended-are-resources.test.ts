import type { SessionHead } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { headOf } from '../../store/test/support/facts.ts';
import { hashOf, Keys, MemorySessions } from '../src/index.ts';
import { agentOf, call } from './contract/people.ts';
import { secretOf } from './support/governed.ts';
import { mcpApp } from './support/mcp-app.ts';
import { BreakableStore, brokenStore } from './support/stores.ts';

const agents = [
  agentOf('talker', () => 'Hello.'),
  agentOf('writer', () => '# Hello', { output: { format: 'markdown' } }),
  agentOf('counter', () => '{"total":3}', { output: { format: 'json' } }),
  agentOf('asker', () => call('ask_user', { question: 'Which year?', reason: undefined }), { ask: 'caller' }),
  agentOf('breaker', () => {
    throw new Error('broken at /etc/place');
  }),
];

describe.each(['older', 'newer'] as const)('for a client of the %s revision', (kind) => {
  function house() {
    const clock = new FakeClock(Date.UTC(2026, 0, 31, 9, 30));
    return { clock, ...mcpApp(agents, { ports: fakePorts({ clock }) }) };
  }

  test('whichever way they came, the newest first, each by what a person knows it by', async () => {
    const { request, clock, ...app } = house();
    const client = await app[kind]();
    await request('/v1/writer?q=hi');
    clock.advance(60_000);
    await client.callTool({ name: 'talker', arguments: { text: 'hi' } });
    const { resources, nextCursor } = await client.listResources();
    expect(nextCursor).toBeUndefined();
    expect(resources).toMatchObject([
      {
        uri: expect.stringMatching(/^ai-agent:\/\/sessions\/[\w-]+$/),
        title: 'talker, 2026-01-31 09:31 UTC',
        description: 'An answer. Asked of talker at 2026-01-31T09:31:00.000Z.',
        mimeType: 'text/plain',
        annotations: { lastModified: '2026-01-31T09:31:00.000Z' },
      },
      { title: 'writer, 2026-01-31 09:30 UTC', mimeType: 'text/markdown' },
    ]);
    expect(new Set(resources.map(({ name }) => name)).size).toBe(2);
  });

  test.each([
    ['talker', 'text/plain', /^Hello\.$/],
    ['writer', 'text/markdown', /^# Hello$/],
    ['counter', 'application/json', /^\{"total":3\}$/],
    ['asker', 'text/plain', /Which year\?.*"resume": "ID"/s],
    ['breaker', 'text/plain', /^Failed \((?!.*\/etc\/place)/s],
  ])('what is read of %s is what it said', async (name, mimeType, said) => {
    const client = await house()[kind]();
    await client.callTool({ name, arguments: { text: 'hi' } });
    const [{ uri = '', mimeType: listed } = {}] = (await client.listResources()).resources;
    const { contents } = await client.readResource({ uri });
    const [content] = contents as readonly { uri: string; mimeType: string; text: string }[];
    expect(content).toMatchObject({ uri, mimeType });
    expect(listed).toBe(mimeType);
    expect(content?.text.replaceAll(uri.split('/').at(-1) ?? '', 'ID')).toMatch(said);
  });

  test('all that is known of one is what REST tells of it', async () => {
    const { request, ...app } = house();
    const client = await app[kind]();
    await client.callTool({ name: 'breaker', arguments: { text: 'hi' } });
    const [{ uri = '' } = {}] = (await client.listResources()).resources;
    const { contents } = await client.readResource({ uri: `${uri}/document` });
    const told = await (await request(`/v1/sessions/${uri.split('/').at(-1)}`)).json();
    const [content] = contents as readonly { mimeType: string; text: string }[];
    expect(content?.mimeType).toBe('application/json');
    expect(JSON.parse(content?.text ?? '')).toEqual(told);
  });

  test('addresses of both kinds are told of', async () => {
    const client = await house()[kind]();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'ai-agent://sessions/{id}',
      'ai-agent://sessions/{id}/document',
    ]);
  });

  test('many come in pages, each once; a cursor that is none is refused', async () => {
    const { request, clock, ...app } = house();
    const client = await app[kind]();
    for (let i = 0; i < 120; i += 1) {
      await request('/v1/talker?q=hi');
      if (i % 2 === 0) clock.advance(1);
    }
    const seen: string[] = [];
    const pages: number[] = [];
    let cursor: string | undefined;
    do {
      // The newer SDK walks through all of them by itself.
      const { resources, nextCursor } = await client.listResources(cursor === undefined ? undefined : { cursor });
      seen.push(...resources.map(({ uri }) => uri));
      pages.push(resources.length);
      cursor = nextCursor;
      // Who comes meanwhile moves nobody.
      await request('/v1/talker?q=hi');
    } while (cursor !== undefined);
    expect(pages).toEqual(kind === 'older' ? [50, 50, 20] : [120]);
    expect(new Set(seen).size).toBe(120);
    await expect(client.listResources({ cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 });
  });

  test('one that runs is not listed, and says that it runs', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const slow = agentOf('slow', () => ({ text: 'at last', until }));
    const { request, ...app } = mcpApp([slow]);
    const client = await app[kind]();
    const started = await request('/v1/sessions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ agent: 'slow', input: 'hi' }),
    });
    const { id } = (await started.json()) as { id: string };
    const uri = `ai-agent://sessions/${id}`;
    const read = async () => JSON.stringify((await client.readResource({ uri })).contents);
    expect((await client.listResources()).resources).toEqual([]);
    expect(await read()).toContain('has not ended yet');
    release();
    await expect.poll(read).toContain('at last');
  });

  test('what is not there, and what is not yours, is not found', async () => {
    const keys = new Keys({ mine: { hash: hashOf('mine') }, yours: { hash: hashOf('yours') } }, new FakeClock());
    const app = mcpApp(agents, { keys });
    const mine = await app[kind]('mine');
    const yours = await app[kind]('yours');
    await mine.callTool({ name: 'talker', arguments: { text: 'hi' } });
    const [{ uri = '' } = {}] = (await mine.listResources()).resources;
    expect((await yours.listResources()).resources).toEqual([]);
    for (const unknown of [uri, `${uri}/document`, 'ai-agent://sessions/', 'ai-agent://other/1', 'file:///etc/passwd'])
      await expect(yours.readResource({ uri: unknown })).rejects.toMatchObject({
        code: -32602,
        data: { uri: unknown },
      });
  });
});

test.each(['older', 'newer'] as const)(
  'a store that fails is told to the house, and not to a client: %s',
  async (kind) => {
    const bugs: unknown[] = [];
    const inner = new MemorySessions();
    const { list, facts } = brokenStore('rejects');
    const store = {
      put: inner.put.bind(inner),
      append: inner.append.bind(inner),
      get: inner.get.bind(inner),
      list,
      claim: inner.claim.bind(inner),
      delete: inner.delete.bind(inner),
      facts,
    };
    const client = await mcpApp([agentOf('a', () => 'Done.')], { store, onBug: (bug) => void bugs.push(bug) })[kind]();
    const { _meta } = await client.callTool({ name: 'a', arguments: { text: 'Go.' } });
    const outcome = _meta?.['ai-agent/outcome'] as { readonly sessionId: string };
    // What has run here is known here.
    const uri = `ai-agent://sessions/${outcome.sessionId}`;
    expect((await client.listResources()).resources).toMatchObject([{ uri }]);
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: 'Done.' }]);
    inner.put(headOf('before', { endedAt: 2, facts: 3 }));
    const reason = await client.readResource({ uri: 'ai-agent://sessions/before' }).catch((error) => error);
    expect(reason.code).toBe(-32_603);
    expect(reason.message).not.toContain('/srv');
    expect(bugs).toHaveLength(2);
  },
);

test('the limit that stopped a run is the one that its result names', async () => {
  const dig = { name: 'dig', description: 'd', inputSchema: { type: 'object' }, execute: () => 'Sand.' };
  const usage = { inputTokens: 3_000, outputTokens: 1_000 };
  const digger = agentOf('digger', () => ({ text: 'I dig.', calls: [{ name: 'dig', input: {} }], usage }), {
    tools: [dig],
  });
  const clock = new FakeClock();
  const desk = { hash: hashOf(secretOf('desk')), allowance: { tokens: 30_000, per: 'day' } } as const;
  const app = mcpApp([digger], { ports: fakePorts({ clock }), keys: new Keys({ desk }, clock) });
  const client = await app.older(secretOf('desk'));
  const { _meta } = await client.callTool({ name: 'digger', arguments: { text: 'Go.' } });
  const outcome = _meta?.['ai-agent/outcome'] as { readonly sessionId: string };
  expect(outcome).toMatchObject({ status: 'partial', limit: 'allowance' });
  const { contents } = await client.readResource({ uri: `ai-agent://sessions/${outcome.sessionId}` });
  expect(contents[0]?._meta?.['ai-agent/outcome']).toMatchObject({ status: 'partial', limit: 'allowance' });
});

test('one whose process is gone says so, and does not tell the answer of an earlier round as its own', async () => {
  const store = new BreakableStore();
  const app = mcpApp(agents, { store });
  const client = await app.older();
  const { _meta } = await client.callTool({ name: 'talker', arguments: { text: 'hi' } });
  const outcome = _meta?.['ai-agent/outcome'] as { readonly sessionId: string };
  const { sessionId } = outcome;
  await expect.poll(() => app.hall.running).toBe(0);
  const head = (await store.get(sessionId)) as SessionHead;
  await store.put({ ...head, status: 'interrupted', resumptions: 1, earlierFacts: head.facts });
  const { contents } = await client.readResource({ uri: `ai-agent://sessions/${sessionId}` });
  const [content] = contents as readonly { text: string }[];
  expect(content?.text).toMatch(/^Failed \(.*stopped in the middle/s);
  expect(content?.text).not.toContain('Hello.');
  expect(contents[0]?._meta?.['ai-agent/outcome']).toMatchObject({ status: 'interrupted' });
});
