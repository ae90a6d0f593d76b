// The promise: agents that ask for it share a bounded store for as long as their run lasts, and no other run sees it.

import { type Agent, asTool, defineTool, MemoryWorkspace, type WorkspaceStore } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, inItsTime, start, walk } from './support/walk.ts';

const put = (key: string, value: string) => ({ name: 'workspace_put', input: { key, value } });
const get = (key: string) => ({ name: 'workspace_get', input: { key } });
const list = (prefix?: string) => ({ name: 'workspace_list', input: prefix === undefined ? {} : { prefix } });
const child = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });

type Call = ReturnType<typeof put> | ReturnType<typeof get> | ReturnType<typeof list> | ReturnType<typeof child>;

/** Makes each call in a turn of its own. */
function sharing(name: string, calls: readonly Call[], more: Partial<Agent> = {}) {
  return agent(name, [...calls.map((call) => ({ calls: [call] })), 'end'], {
    workspace: true,
    limits: { maxTurns: 40 },
    ...more,
  });
}

async function resultsOf(one: ReturnType<typeof sharing>, workspace?: WorkspaceStore) {
  const { events } = await walk(one, 'go', workspace ? { ports: fakePorts({ workspace }) } : {});
  return events.flatMap((event) =>
    event.type === 'tool-end' && event.namespace !== 'agent'
      ? [event.result.failure?.message ?? event.result.text]
      : [],
  );
}

test('what one agent puts, another one of the run gets', async () => {
  const first = sharing('first', [put('prices/a', '12 €'), put('notes', 'n'), put('prices/b', '13')]);
  const second = sharing('second', [list('prices/'), get('prices/a'), put('prices/a', 'changed')]);
  const lead = sharing('lead', [child('first'), child('second'), get('prices/a'), list()], {
    tools: [asTool(first), asTool(second)],
  });
  expect(await resultsOf(lead)).toEqual([
    'Kept 6 bytes as "prices/a".',
    'Kept 1 bytes as "notes".',
    'Kept 2 bytes as "prices/b".',
    '[{"key":"prices/a","bytes":6},{"key":"prices/b","bytes":2}]',
    '12 €',
    'Kept 7 bytes as "prices/a".',
    'changed',
    '[{"key":"notes","bytes":1},{"key":"prices/a","bytes":7},{"key":"prices/b","bytes":2}]',
  ]);
});

test('an agent that does not ask for it has none of it', async () => {
  const lead = agent('lead', [{ calls: [get('a')] }, 'end']);
  const { events } = await walk(lead);
  expect(lead.model.requests[0]?.tools).toEqual([]);
  expect(lead.model.requests[0]?.system).not.toContain('workspace');
  expect(events.find((event) => event.type === 'tool-end')?.result.failure?.code).toBe('tool-unknown');
});

test('an agent that does is told', async () => {
  const lead = sharing('lead', []);
  await walk(lead);
  expect(lead.model.requests[0]?.tools.map(({ name }) => name)).toEqual([
    'workspace_put',
    'workspace_get',
    'workspace_list',
  ]);
  expect(lead.model.requests[0]?.system).toContain('You share a workspace with other agents of this run');
});

test('runs on one store never see each other, and what they put goes with them', async () => {
  const workspace = new MemoryWorkspace();
  workspace.put('other', 'secret', 'of another run');
  const store = { cleared: [] as string[] };
  const watched: WorkspaceStore = {
    put: (...args) => workspace.put(...args),
    get: async (...args) => workspace.get(...args),
    list: async (...args) => workspace.list(...args),
    clear(originId) {
      store.cleared.push(`${originId} ${workspace.list(originId, '').length}`);
      workspace.clear(originId);
    },
  };
  const below = sharing('below', [put('b', '1')]);
  const lead = sharing('lead', [put('a', '1'), child('below'), list(), get('secret')], { tools: [asTool(below)] });
  const results = await resultsOf(lead, watched);
  expect(results.slice(-2)).toEqual([
    '[{"key":"a","bytes":1},{"key":"b","bytes":1}]',
    'The workspace has nothing under "secret".',
  ]);
  // Once, when the root is over.
  expect(store.cleared).toEqual(['s1 2']);
  expect([workspace.list('s1', ''), workspace.get('other', 'secret')]).toEqual([[], 'of another run']);
});

describe('it is bounded', () => {
  const full = 'x'.repeat(100_000);

  test('a text that is too long is refused, with what there is room for', async () => {
    const [said, after] = await resultsOf(sharing('lead', [put('a', `${full}x`), list()]));
    expect(said).toBe('This text has 100001 bytes; one key of the workspace takes 100000 at most.');
    expect(after).toBe('[]');
  });

  test('what does not fit in all is refused, and what is there stays; an empty text makes room', async () => {
    const many = Array.from({ length: 9 }, (_, i) => put(`k${i}`, full));
    const calls = [...many, put('k9', full), get('k0'), put('k0', ''), put('k9', full), get('k0')];
    const results = await resultsOf(sharing('lead', calls, { limits: { maxTurns: 40, maxToolOutputBytes: 200_000 } }));
    expect(results[9]).toMatch(
      /^The workspace is full: with this it would have 1000020 bytes, and 1000000 are the most\.$/,
    );
    expect(results.slice(10)).toEqual([
      full,
      'Nothing is under "k0" any more.',
      'Kept 100000 bytes as "k9".',
      'The workspace has nothing under "k0".',
    ]);
  });

  test('more than a thousand keys are refused; one that is there can change', () => {
    const store = new MemoryWorkspace();
    for (let i = 0; i < 1_000; i++) store.put('run', `k${i}`, 'v');
    expect(() => store.put('run', 'one more', 'v')).toThrow(/it has 1000 keys/);
    store.put('run', 'k1', 'changed');
    store.put('run', 'k2', '');
    store.put('run', 'one more', 'v');
    expect([store.get('run', 'k1'), store.get('run', 'k2'), store.get('run', 'one more')]).toEqual([
      'changed',
      undefined,
      'v',
    ]);
  });
});

test('permissions take its tools away; the instruction goes with the last of them', async () => {
  const reader = sharing('reader', [put('a', '1')], { permissions: { deny: ['workspace_put'] } });
  expect(await resultsOf(reader)).toEqual(['reader may not call workspace_put.']);
  expect(reader.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['workspace_get', 'workspace_list']);
  const none = sharing('none', [], { permissions: { deny: ['workspace_*'] } });
  await walk(none);
  expect(none.model.requests[0]?.system).toBe('You are none.');
});

test('its names are taken only where it is', async () => {
  const own = defineTool({ name: 'workspace_get', inputSchema: { type: 'object' }, execute: () => 'mine' });
  expect((await walk(agent('lead', ['end'], { tools: [own] }))).outcome.status).toBe('completed');
  const { outcome } = await walk(sharing('lead', [], { tools: [own] }));
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'tool-name-collision' } });
});

test('it goes with its run, also when a source cannot be closed', async () => {
  const never = () => new Promise<void>(() => {});
  const broken = () => Promise.reject(new TypeError('stuck'));
  for (const close of [never, broken]) {
    const store = new MemoryWorkspace();
    const lead = sharing('lead', [put('a', '1'), get('a')], { tools: [() => ({ list: () => [], close })] });
    const clock = new FakeClock();
    const { outcome } = start(lead, 'go', { sessionId: 'run', ports: fakePorts({ clock, workspace: store }) });
    expect((await inItsTime(clock, outcome)).status).toBe('completed');
    expect(store.get('run', 'a')).toBeUndefined();
  }
});
