// The promise: whoever names a database that does not work is told what is wrong with it and what to do, and never shown the password.

import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import type { AgentError } from '@ai-agent/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';
import { password } from './support/private-postgres.ts';

const postgres = usePostgres();

async function failureOf(address: string): Promise<AgentError> {
  const failure = await openStore(address).then(
    () => expect.unreachable('It opened.'),
    (error: AgentError) => error,
  );
  for (const text of [failure.message, failure.remedy, String(failure.stack)]) {
    expect(text).not.toContain(password);
    expect(text).not.toContain(encodeURIComponent(password));
    expect(text).not.toContain('hunter2');
  }
  return failure;
}

test('a wrong password', async () => {
  const failure = await failureOf(postgres().address('postgres', 'postgres', 'hunter2'));
  expect(failure).toMatchObject({ code: 'store-unreachable', remedy: expect.stringContaining('password') });
  expect(failure.message).toContain(`postgres://postgres@127.0.0.1:${postgres().port}/postgres`);
});

test('no password', async () => {
  const failure = await failureOf(`postgres://postgres@127.0.0.1:${postgres().port}/postgres`);
  expect(failure).toMatchObject({ code: 'store-unreachable', remedy: expect.stringContaining('PGPASSWORD') });
});

test('a process that was not let in ends all the same, long before the database hangs up', async () => {
  const address = `postgres://postgres@127.0.0.1:${postgres().port}/postgres`;
  const open = `import { openStore } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
    await openStore(${JSON.stringify(address)}).catch(({ code }) => console.log(code));`;
  const args = ['--input-type=module', '-e', open];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 15_000, env: {} });
  expect(stdout).toContain('store-unreachable');
});

test('no TLS where it is wanted', async () => {
  const { port } = postgres();
  const open = await failureOf(`postgres://postgres:hunter2@127.0.0.1:${port}/postgres?sslmode=require`);
  expect(open).toMatchObject({ code: 'store-unreachable', remedy: expect.stringContaining('sslmode=disable') });
});

test('a database that is not there', async () => {
  const failure = await failureOf(postgres().address('nothing'));
  expect(failure).toMatchObject({ code: 'store-unreachable', remedy: expect.stringContaining('createdb') });
});

test('a host that nobody knows', async () => {
  const failure = await failureOf('postgres://u:hunter2@no-such-host.invalid/db');
  expect(failure).toMatchObject({ code: 'store-unreachable', remedy: expect.stringContaining('host') });
});

test('nobody who listens, also at a name with several addresses', async () => {
  for (const host of ['127.0.0.1:1', 'localhost:1']) {
    const failure = await failureOf(`postgres://u:hunter2@${host}/db`);
    expect(failure).toMatchObject({ code: 'store-unreachable', remedy: expect.stringContaining('Start the database') });
  }
});

test('somebody who never answers, after a few seconds', { timeout: 9_000 }, async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const failure = await failureOf(`postgres://u:hunter2@127.0.0.1:${port}/db`);
  expect(failure).toMatchObject({ code: 'store-unreachable', retryable: true });
  expect(failure.message).toContain('does not answer');
});

test('a secure connection to a database that has none', async () => {
  const failure = await failureOf(`${postgres().address()}?sslmode=require`);
  expect(failure).toMatchObject({ code: 'store-unreachable', remedy: expect.stringContaining('sslmode') });
});

test('a certificate that is not there', async () => {
  const failure = await failureOf(`${postgres().address()}?sslmode=verify-full&sslrootcert=nowhere.pem`);
  expect(failure).toMatchObject({ code: 'store-unreachable', remedy: expect.stringContaining('sslrootcert') });
});

test.each(['postgres://u:hunter2@host:port/db', 'postgres://u:hunter2/x@host/db', 'postgres://'])(
  '%s',
  async (text) => {
    const failure = await failureOf(text);
    expect(failure.code).toMatch(/^store-(failed|unreachable)$/);
  },
);

test('tables of a newer version', async () => {
  const address = await postgres().database();
  await (await openStore(address)).close();
  await postgres().query('UPDATE ai_agent.about SET version = 99', address);
  const failure = await failureOf(address);
  expect(failure.code).toBe('store-newer');
  expect(failure.message).toContain('99');
});

describe('a user who may not write', () => {
  async function reader(rights: string): Promise<string> {
    const address = await postgres().database();
    const name = `reader_${Math.random().toString(36).slice(2)}`;
    const store = await openStore(address, { retention: forEver });
    await store.put(headOf('a', { endedAt: 5 }));
    await store.append('a', [factOf(1)]);
    await store.close();
    await postgres().query(`CREATE ROLE ${name} LOGIN PASSWORD 'hunter2'; ${rights.replaceAll('NAME', name)}`, address);
    return address.replace(/\/\/.*@/, `//${name}:hunter2@`);
  }

  test('reads, and is told when it writes', async () => {
    const bugs: unknown[] = [];
    const rights = 'GRANT USAGE ON SCHEMA ai_agent TO NAME; GRANT SELECT ON ALL TABLES IN SCHEMA ai_agent TO NAME';
    const store = await openStore(await reader(rights), { retention: forEver, onBug: (error) => bugs.push(error) });
    onTestFinished(() => store.close());
    expect(await store.list({ limit: 5 })).toHaveLength(1);
    expect(await store.facts('a', 0)).toHaveLength(1);
    const writing = Promise.resolve(store.put(headOf('b')));
    await expect(writing).rejects.toMatchObject({ code: 'store-read-only', remedy: expect.stringContaining('GRANT') });
    expect(await store.get('b')).toBeUndefined();
    expect(bugs).toEqual([]);
  });

  test('the same on a database that is a copy, or is set to be read', async () => {
    const rights = 'GRANT ALL ON SCHEMA ai_agent TO NAME; GRANT ALL ON ALL TABLES IN SCHEMA ai_agent TO NAME';
    const address = await reader(`${rights}; ALTER ROLE NAME SET default_transaction_read_only = on`);
    const store = await openStore(address, { retention: forEver });
    onTestFinished(() => store.close());
    expect(await store.get('a')).toMatchObject({ id: 'a' });
    await expect(store.put(headOf('b'))).rejects.toMatchObject({ code: 'store-read-only' });
  });

  test('cannot make the tables', async () => {
    const address = await reader('DROP SCHEMA ai_agent CASCADE');
    expect(await failureOf(address)).toMatchObject({ code: 'store-read-only' });
  });
});
