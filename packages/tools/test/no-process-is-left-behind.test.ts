// However our process ends, and however badly a server behaves, nothing that was started for it goes on.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readServerConfig } from '../src/mcp/server-config.ts';
import {
  byHand,
  eventually,
  isAlive,
  never,
  openConnections,
  readFacts,
  serverFile,
  temporaryFolder,
} from './support/mcp.ts';

/** A host of its own that uses a stubborn server, below a shell which would leave it behind. */
async function runHost(how: string, options: { readonly isHandling?: boolean; readonly isStubborn?: boolean } = {}) {
  const { isHandling = false, isStubborn = true } = options;
  const record = join(temporaryFolder(), 'record.jsonl');
  const settings = JSON.stringify({ record, isStubborn });
  const command = `'${process.execPath}' '${serverFile('by-hand.mjs')}' '${settings}'; true`;
  const config = { command: 'sh', args: ['-c', command] };
  const host = spawn(process.execPath, [serverFile('host.mjs'), JSON.stringify({ how, config, isHandling })]);
  const exited = once(host, 'exit');
  const noise: string[] = [];
  host.stderr.on('data', (chunk) => noise.push(String(chunk)));
  await Promise.race([once(host.stdout, 'data'), exited]);
  const pid = readFacts(record)[0]?.pid;
  expect(pid, noise.join('')).toBeDefined();
  return { host, exited, pid };
}

test('our process ends by itself, by exit, by an error, after it closed, and while a server is waited with', async () => {
  const codes = { exit: 3, throw: 1, close: 0, linger: 0 };
  const ends = Object.keys(codes).map(async (how) => {
    const { exited, pid } = await runHost(how);
    const [code] = await exited;
    await eventually(() => !isAlive(pid));
    return [how, code];
  });
  expect(Object.fromEntries(await Promise.all(ends))).toEqual(codes);
});

test('our process is sent SIGTERM, which it handles or not', async () => {
  const ends = [true, false].map(async (isHandling) => {
    const { host, exited, pid } = await runHost('stay', { isHandling });
    expect(isAlive(pid)).toBe(true);
    host.kill('SIGTERM');
    const [code, signal] = await exited;
    await eventually(() => !isAlive(pid));
    return code ?? signal;
  });
  expect(await Promise.all(ends)).toEqual([0, 'SIGTERM']);
});

test('our process is sent SIGQUIT', async () => {
  const { host, exited, pid } = await runHost('stay');
  host.kill('SIGQUIT');
  expect((await exited)[1]).toBe('SIGQUIT');
  await eventually(() => !isAlive(pid));
});

test('a server that is waited with keeps nobody from ending', async () => {
  const { exited } = await runHost('linger', { isStubborn: false });
  const startedAt = Date.now();
  await exited;
  expect(Date.now() - startedAt).toBeLessThan(3_000);
});

test('a child of a wrapper that is gone is ended, too', async () => {
  const record = join(temporaryFolder(), 'record.jsonl');
  const settings = JSON.stringify({ record, isStubborn: true });
  const inner = `'${process.execPath}' '${serverFile('by-hand.mjs')}' '${settings}'`;
  // The wrapper dies of what its child would survive.
  const server = readServerConfig('wrapped', {
    command: 'sh',
    args: ['-c', `exec 3<&0; trap 'exit 0' TERM; ${inner} <&3 & wait; true`],
  });
  const connections = openConnections();
  const lease = await connections.lease(server, { signal: never() });
  const pid = readFacts(record)[0]?.pid;
  expect(isAlive(pid)).toBe(true);
  await lease.release();
  await connections.close();
  // Whoever inherits it collects it in its own time.
  await eventually(() => !isAlive(pid), 2_000);
});

test('a server leaves by itself when it is let go, without being told twice', async () => {
  const { server, facts } = byHand();
  const connections = openConnections();
  await connections.lease(server, { signal: never() });
  const startedAt = Date.now();
  await connections.close();
  expect(Date.now() - startedAt).toBeLessThan(900);
  expect(isAlive(facts()[0]?.pid)).toBe(false);
  await expect(connections.lease(server, { signal: never() })).rejects.toMatchObject({ class: 'cancelled' });
});

test('what listens for the end of our process is gone with the last server', async () => {
  const before = process.listenerCount('exit');
  const { server } = byHand();
  const connections = openConnections();
  await connections.lease(server, { signal: never() });
  expect(process.listenerCount('exit')).toBe(before + 1);
  await connections.close();
  expect(process.listenerCount('exit')).toBe(before);
});
