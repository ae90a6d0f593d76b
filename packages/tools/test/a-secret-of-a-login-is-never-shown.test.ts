// Tokens, codes and secrets of a login are told to whoever hides them, and stand in no error, whoever wrote it.

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { browser, openLogins, visit } from './support/login-visitor.ts';
import { serveProtected } from './support/protected-server.ts';

test('every secret is told: those that were written down, those that are there, those that come', async () => {
  const server = await serveProtected();
  const { openPage } = browser();
  const oauth = { clientId: 'known', clientSecret: 'written-down' };
  const { auth, call } = await visit(openLogins({ openPage }), { ...server, oauth });
  const hidden: string[] = [];
  const stop = auth.hideFrom((secret) => hidden.push(secret));
  const [code, verifier] = ['code', 'code_verifier'].map((name) => server.sent[0]?.get(name));
  expect(hidden).toEqual([
    'written-down',
    verifier,
    code,
    expect.stringMatching(/^access-/),
    expect.stringMatching(/^refresh-/),
  ]);
  server.revokeAccess();
  await call();
  expect(hidden).toHaveLength(7);
  expect(server.shown.every((token) => hidden.includes(token))).toBe(true);
  stop();
  server.revokeAccess();
  await call();
  expect(hidden).toHaveLength(7);
});

test('the secret that we were given by registering', async () => {
  const server = await serveProtected();
  const { auth } = await visit(openLogins(browser()), server);
  const hidden: string[] = [];
  auth.hideFrom((secret) => hidden.push(secret));
  expect(hidden).toContainEqual(expect.stringMatching(/^secret-/));
});

test('an authorization server that repeats a secret in its refusal', async () => {
  const server = await serveProtected();
  const oauth = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'wrong' };
  server.ways.description = `no client has the secret wrong\n\u001b[2J${'x'.repeat(5_000)}`;
  const failed = await visit(openLogins(), { ...server, oauth }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ class: 'auth' });
  const shown = inspect(failed, { depth: 10, showHidden: true });
  expect(shown).toContain('invalid_grant: no client has the secret [hidden]');
  expect(shown).not.toContain('secret wrong');
  expect(shown).not.toContain('\u001b[2J');
  expect(shown.length).toBeLessThan(3_000);
});

test('the settings of a login are not in the name that it is kept under', async () => {
  const server = await serveProtected();
  const keys: string[] = [];
  const kept = new Map<string, string>();
  const tokens = {
    get: async (key: string) => kept.get(key),
    async set(key: string, value: string) {
      keys.push(key);
      kept.set(key, value);
    },
    delete: async () => {},
  };
  await visit(openLogins({ ...browser(), tokens }), {
    ...server,
    oauth: { clientId: 'a', clientSecret: 'very-secret' },
  });
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect([...kept.values()].join()).not.toContain('very-secret');
});
