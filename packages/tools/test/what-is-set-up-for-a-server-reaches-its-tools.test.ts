import { expect, test } from 'vitest';
import { memoryTokenStore } from '../src/oauth/memory-token-store.ts';
import type { Surroundings } from '../src/surroundings.ts';
import { fakeServer, openSource } from './support/fake-server.ts';

const schema = { type: 'object' as const };
const tools = [
  { name: 'look', inputSchema: schema, annotations: { readOnlyHint: true } },
  { name: 'Save', inputSchema: schema, annotations: { idempotentHint: true } },
  { name: 'send', inputSchema: schema, annotations: { readOnlyHint: false, destructiveHint: true } },
];

test('time, row, cache and what a server says of its tools', async () => {
  const { list } = openSource(fakeServer({ tools }), {
    command: 'x',
    requestTimeoutMs: '2m',
    queue: 'slow',
    cache: '1h',
    toolsCache: { save: 'off', send: 1500 },
  });
  const [look, save, send] = await list();
  expect(look).toMatchObject({
    readOnly: true,
    timeoutMs: 120_000,
    queue: { name: 'slow' },
    cache: { ttlMs: 3_600_000 },
  });
  expect(look).not.toHaveProperty('idempotent');
  expect(save).toMatchObject({ idempotent: true });
  expect(save).not.toHaveProperty('cache');
  expect(send).toMatchObject({ identity: { namespace: 'fake', tool: 'send' }, cache: { ttlMs: 1_500 } });
  expect(send?.readOnly).toBe(false);
});

test('the cache of a whole server is for what only looks; any tool has the one that is set up for it', async () => {
  const timesOf = async (config: Record<string, unknown>) => {
    const { list } = openSource(fakeServer({ tools: [...tools, { name: 'dumb', inputSchema: schema }] }), config);
    return (await list()).map(({ cache }) => cache?.ttlMs);
  };
  expect(await timesOf({ command: 'x', cache: '1h' })).toEqual([3_600_000, undefined, undefined, undefined]);
  const each = { Save: 1, send: 2, DUMB: 3 };
  expect(await timesOf({ command: 'x', cache: '1h', toolsCache: each })).toEqual([3_600_000, 1, 2, 3]);
  expect(await timesOf({ command: 'x', cache: '1h', toolsCache: { look: 'off' } })).toEqual(Array(4).fill(undefined));
});

test.each([
  ['a process', { command: 'x' }, true],
  ['a host far away', { url: 'https://tools.example.com/mcp' }, true],
  ['this machine, in a row that is named', { url: 'http://localhost:1/mcp', queue: 'slow' }, true],
  ['this machine', { url: 'http://localhost:1/mcp' }, false],
  ['this machine by its number', { url: 'http://127.0.0.1:1/sse', type: 'sse' }, false],
  ['this machine over a socket', { url: 'ws://[::1]:1/mcp' }, false],
])('a row could wait for itself only where we may be the server: %s', async (_, config, isInRow) => {
  const [look] = await openSource(fakeServer({ tools }), config).list();
  expect(look && 'queue' in look).toBe(isInRow);
});

test('answers are kept apart by all that is set up, variables included', async () => {
  const config = { command: 'x', env: { TOKEN: `\${TOKEN}` }, cache: '1h' };
  const keyOf = async (token: string, more: object = {}) => {
    const { list } = openSource(fakeServer({ tools }), { ...config, ...more }, { env: { TOKEN: token } });
    return (await list())[0]?.cache?.key;
  };
  const mine = await keyOf('token-of-mine');
  expect(mine).toMatch(/^[0-9a-f]{64}$/);
  expect(await keyOf('token-of-mine')).toBe(mine);
  expect(await keyOf('token-of-mine', { cache: '2h' })).toBe(mine);
  expect(await keyOf('token-of-yours')).not.toBe(mine);
  expect(await keyOf('token-of-mine', { args: ['--all'] })).not.toBe(mine);
});

test('answers are kept apart by who is signed in, where one signs in, and else by the folder of the program', async () => {
  const keyOf = async (config: object, surroundings: Pick<Surroundings, 'cwd' | 'serverEnv' | 'tokens'>) => {
    const { list } = openSource(fakeServer({ tools }), { ...config, cache: '1h' }, { surroundings });
    return (await list())[0]?.cache?.key;
  };
  const [mine, yours] = [memoryTokenStore(), memoryTokenStore()];
  const over = { url: 'https://vault.test/mcp' };
  const key = await keyOf(over, { cwd: '/a', serverEnv: {}, tokens: mine });
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await keyOf(over, { cwd: '/a', serverEnv: {}, tokens: mine })).toBe(key);
  expect(await keyOf(over, { cwd: '/a', serverEnv: {}, tokens: yours })).not.toBe(key);

  // Without a store, logins are kept in memory, for as long as the surroundings last.
  const here = { cwd: '/a', serverEnv: {} };
  expect(await keyOf(over, here)).toBe(await keyOf(over, here));
  expect(await keyOf(over, here)).not.toBe(await keyOf(over, { cwd: '/a', serverEnv: {} }));

  const started = { command: 'x' };
  const ofStarted = await keyOf(started, { cwd: '/a', serverEnv: {}, tokens: mine });
  expect(await keyOf(started, { cwd: '/a', serverEnv: {}, tokens: yours })).toBe(ofStarted);
  expect(await keyOf(started, { cwd: '/b', serverEnv: {} })).not.toBe(ofStarted);
  const atHome = { ...started, cwd: '/home' };
  expect(await keyOf(atHome, { cwd: '/b', serverEnv: {} })).toBe(await keyOf(atHome, { cwd: '/a', serverEnv: {} }));
});

test('what is secret in it is hidden before anybody connects', async () => {
  const server = fakeServer({ tools });
  const env = { MY_API_KEY: 'key-of-mine', HOST: 'host-of-mine', WHO: 'someone' };
  const { list, hidden } = openSource(
    server,
    {
      url: `https://user:pass-word@\${HOST}/mcp?api_key=in-the-url&page=2`,
      headers: { Authorization: `Bearer of-\${WHO}`, 'X-Trace': 'shown-value' },
      oauth: { clientId: 'shown-id', clientSecret: 'hidden-secret' },
      toolSchemas: { look: { type: 'object', properties: { token: { type: 'string' } } } },
      args: ['--key', `\${MY_API_KEY}`],
    },
    { env },
  );
  await list();
  expect([...hidden].sort()).toEqual(['Bearer of-someone', 'hidden-secret', 'in-the-url', 'key-of-mine', 'pass-word']);
  expect(server.leased[0]?.server).toMatchObject({ headers: { Authorization: 'Bearer of-someone' } });
});

test('a variable that is missing is named', async () => {
  const { list } = openSource(fakeServer({ tools }), { command: 'x', env: { A: `\${NOT_THERE}` } });
  await expect(list()).rejects.toMatchObject({ code: 'secret-missing', message: expect.stringContaining('NOT_THERE') });
});

test('a connection is let go once, also when the session ends while it is being made', async () => {
  const settled = fakeServer({ tools });
  const one = openSource(settled, { command: 'x' });
  await one.list();
  await one.source.close?.();
  await one.source.close?.();
  expect(settled.state.released).toBe(1);

  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const slow = fakeServer({ tools, ready });
  const two = openSource(slow, { command: 'x' });
  const listing = two.list();
  const closing = two.source.close?.();
  resolve();
  await Promise.all([listing.catch(() => {}), closing]);
  expect(slow.state.released).toBe(1);

  const unused = fakeServer({ tools });
  await openSource(unused, { command: 'x' }).source.close?.();
  expect(unused.leased).toEqual([]);
});
