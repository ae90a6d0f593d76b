// A token that is refused is renewed once, however many were refused, in however many processes; then a person is asked, once.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fileTokenStore } from '../src/oauth/file-token-store.ts';
import { browser, openAuth, openLogins, visit } from './support/login-visitor.ts';
import { serveProtected } from './support/protected-server.ts';

const seen = { type: 'text', text: 'seen' };

test('calls at the same time, answered at different times: one refresh', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const { call } = await visit(openLogins({ openPage }), server);
  server.revokeAccess();
  // One refusal is heard of long after the others were mended.
  const late = Promise.withResolvers<void>();
  const turns = [late.promise];
  server.ways.beforeRefusal = async () => turns.shift();
  const calls = Array.from({ length: 10 }, () => call());
  await Promise.race(calls);
  late.resolve();
  expect(await Promise.all(calls)).toEqual(Array(10).fill(seen));
  expect(server.asked.filter((one) => one === 'refresh_token')).toHaveLength(1);
  expect(pages).toHaveLength(1);
});

test('connections at the same time share it', async () => {
  const server = await serveProtected();
  const { openPage } = browser();
  const logins = openLogins({ openPage });
  const visitors = [await visit(logins, server), await visit(logins, server), await visit(logins, server)];
  server.revokeAccess();
  expect(await Promise.all(visitors.map(({ call }) => call()))).toEqual([seen, seen, seen]);
  expect(server.asked.filter((one) => one === 'refresh_token')).toHaveLength(1);
});

test('a refresh token that is refused is dropped, and a person is asked once; nothing is written to the console', async () => {
  const server = await serveProtected();
  const written = vi.spyOn(console, 'warn');
  const { openPage, pages } = browser();
  const { call } = await visit(openLogins({ openPage }), server);
  server.revokeAccess();
  server.revokeRefresh();
  expect(await Promise.all([call(), call(), call()])).toEqual([seen, seen, seen]);
  expect(written).not.toHaveBeenCalled();
  expect(server.asked.filter((one) => one === 'refresh_token')).toHaveLength(1);
  expect(pages).toHaveLength(2);
});

test('a refreshed token that is refused too is not refreshed again: a person is asked', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const { call } = await visit(openLogins({ openPage }), server);
  server.ways.takesTokens = false;
  const failed = await call().catch((error: unknown) => error);
  expect(failed).toMatchObject({ class: 'auth', message: 'vault refuses the token that it has just been given.' });
  // A second login registers again if another process has taken the port of the first.
  const asked = server.asked.slice(3).filter((one) => one !== 'register');
  expect(asked).toEqual(['refresh_token', 'authorize', 'authorization_code']);
  expect(pages).toHaveLength(2);
});

test('whoever comes with a refreshed token that was never taken does not refresh it again', async () => {
  const server = await serveProtected();
  const auth = openAuth(openLogins(browser()), server);
  await auth.complete(undefined, new AbortController().signal);
  const isRenewed = async () => {
    const headers = { authorization: `Bearer ${await auth.provider.token()}` };
    const response = await auth.fetch(server.url, { method: 'POST', headers, body: '{}' });
    const renewing = auth.provider.onUnauthorized?.({ response, serverUrl: new URL(server.url), fetchFn: fetch });
    return renewing?.then(
      () => true,
      () => false,
    );
  };
  // The first was taken, so that it may be renewed.
  server.ways.takesTokens = true;
  const headers = { authorization: `Bearer ${await auth.provider.token()}` };
  await auth.fetch(server.url, { method: 'POST', headers, body: '{}' });
  server.ways.takesTokens = false;
  expect([await isRenewed(), await isRenewed()]).toEqual([true, false]);
  expect(server.asked.filter((one) => one === 'refresh_token')).toHaveLength(1);
});

test('processes at the same time: one of them refreshes, the others take what it got', async () => {
  const server = await serveProtected();
  const folder = await mkdtemp(join(tmpdir(), 'logins-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tokens = fileTokenStore({ folder: join(folder, 'kept') });
  const auth = openAuth(openLogins({ ...browser(), tokens }), server);
  await auth.complete(undefined, new AbortController().signal);
  server.revokeAccess();
  // Both are refused before either goes on.
  const both = Promise.withResolvers<void>();
  let refused = 0;
  server.ways.beforeRefusal = () => {
    if (++refused === 2) both.resolve();
    return both.promise;
  };
  const script = join(import.meta.dirname, 'support/refreshing-process.ts');
  const processes = [1, 2].map(async () => {
    const child = spawn(process.execPath, [script, server.url, join(folder, 'kept')]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return `${out}${err}`;
  });
  expect(await Promise.all(processes)).toEqual(['renewed\n', 'renewed\n']);
  expect(server.asked.filter((one) => one === 'refresh_token')).toHaveLength(1);
});
