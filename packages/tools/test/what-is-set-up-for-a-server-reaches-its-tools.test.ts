import { expect, test } from 'vitest';
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
