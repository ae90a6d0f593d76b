// One process for all who set up the same, one each for who set up anything else, and no more than they were given.

import { expect, test } from 'vitest';
import type { Connections } from '../src/mcp/connections.ts';
import type { ServerConfig } from '../src/mcp/server-config.ts';
import { byHand, callOptions, eventually, isAlive, never, openConnections, textOf } from './support/mcp.ts';

interface Seen {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

async function environmentOf(connections: Connections, server: ServerConfig): Promise<Seen> {
  const { link } = await connections.lease(server, { signal: never() });
  return JSON.parse(textOf(await link.call('environment', {}, callOptions()))) as Seen;
}

test('fifty sessions on one server are one process, and get their own answers', async () => {
  const { server, facts } = byHand();
  const connections = openConnections();
  const leases = await Promise.all(Array.from({ length: 50 }, () => connections.lease(server, { signal: never() })));
  const answers = await Promise.all(leases.map(({ link }, i) => link.call('echo', { i }, callOptions())));
  expect(answers.map(textOf)).toEqual(Array.from({ length: 50 }, (_, i) => `{"i":${i}}`));
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(1);
});

test('fifty sessions with other variables are fifty processes, each with its own', async () => {
  const { server } = byHand();
  const connections = openConnections({ startsAtOnce: 4 });
  const seen = await Promise.all(
    Array.from({ length: 50 }, (_, i) => environmentOf(connections, { ...server, env: { WHO: `session ${i}` } })),
  );
  expect(seen.map(({ env }) => env.WHO)).toEqual(Array.from({ length: 50 }, (_, i) => `session ${i}`));
}, 40_000);

test('a server gets what it is given, and nothing else of ours', async () => {
  process.env.A_SECRET_OF_THE_HOST = 'secret';
  const { server } = byHand({}, { env: { MINE: 'yes' }, cwd: '/' });
  const connections = openConnections({ serverEnv: { PATH: process.env.PATH ?? '', HOME: '/home/somebody' } });
  const { env, cwd } = await environmentOf(connections, server);
  delete process.env.A_SECRET_OF_THE_HOST;
  expect(env).toEqual({ PATH: process.env.PATH, HOME: '/home/somebody', MINE: 'yes' });
  expect(cwd).toBe('/');
});

test.each([
  ['args', (server: ServerConfig) => ({ ...server, args: [...server.args, 'more'] })],
  ['cwd', (server: ServerConfig) => ({ ...server, cwd: '/' })],
  ['roots', (server: ServerConfig) => ({ ...server, roots: [{ uri: 'file:///tmp' }] })],
  ['shared: false', (server: ServerConfig) => ({ ...server, isShared: false })],
])('other %s, another process', async (_, change) => {
  const { server, facts } = byHand();
  const connections = openConnections();
  await connections.lease(server, { signal: never() });
  await connections.lease(change(server), { signal: never() });
  await connections.lease(change(server), { signal: never() });
  const expected = change(server).isShared ? 2 : 3;
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(expected);
});

test('who answers what a server asks has it alone, until the end of the session', async () => {
  const { server, facts } = byHand();
  const connections = openConnections();
  const answers = { elicit: async () => ({ action: 'decline' as const }) };
  const own = await connections.lease(server, { signal: never(), answers });
  await connections.lease(server, { signal: never() });
  const [first, second] = facts().filter(({ event }) => event === 'start');
  expect(second).toBeDefined();
  await own.release();
  expect(isAlive(first?.pid)).toBe(false);
  expect(isAlive(second?.pid)).toBe(true);
});

test('it waits a moment for the next who needs it', async () => {
  const { server, facts } = byHand();
  const connections = openConnections();
  for (let i = 0; i < 3; i++) {
    await (await connections.lease(server, { signal: never() })).release();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(1);
  expect(isAlive(facts()[0]?.pid)).toBe(true);
  await connections.close();
  expect(isAlive(facts()[0]?.pid)).toBe(false);
});

test('one who gives up does not take it from the others', async () => {
  const { server, facts } = byHand({ discover: 'ignore' }, { startTimeoutMs: 2_000 });
  const connections = openConnections();
  const controller = new AbortController();
  const first = connections.lease(server, { signal: controller.signal });
  const second = connections.lease(server, { signal: never() });
  await eventually(() => facts().length > 0);
  controller.abort('no longer');
  await expect(first).rejects.toBe('no longer');
  const { link } = await second;
  expect(textOf(await link.call('echo', {}, callOptions()))).toBe('{}');
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(1);
});

test('a start that failed is tried again by the next', async () => {
  const { server, facts } = byHand({ exitAtOnce: 1 });
  const connections = openConnections();
  await expect(connections.lease(server, { signal: never() })).rejects.toThrow('exit code 1');
  await expect(connections.lease(server, { signal: never() })).rejects.toThrow('exit code 1');
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(4);
});
