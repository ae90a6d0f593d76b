// A server that answers 401 is logged in to with a page, and from then on with what was kept.

import { expect, test } from 'vitest';
import { memoryTokenStore } from '../src/oauth/memory-token-store.ts';
import { browser, openLogins, visit } from './support/login-visitor.ts';
import { serveProtected } from './support/protected-server.ts';

const seen = { type: 'text', text: 'seen' };

test('a page, a code with its proof, a token: then the server answers', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const { call } = await visit(openLogins({ openPage }), server);
  expect(await call()).toEqual(seen);
  expect(server.asked).toEqual(['register', 'authorize', 'authorization_code']);
  const page = new URL(pages[0] ?? '');
  expect(page.searchParams.get('code_challenge_method')).toBe('S256');
  expect(page.searchParams.get('resource')).toBe(server.url);
  expect(page.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(page.searchParams.get('state')).toHaveLength(43);
});

test('the next process shows no page', async () => {
  const server = await serveProtected();
  const tokens = memoryTokenStore();
  const { openPage } = browser();
  await visit(openLogins({ openPage, tokens }), server);
  const { call } = await visit(openLogins({ tokens }), server);
  expect(await call()).toEqual(seen);
  expect(server.asked).toEqual(['register', 'authorize', 'authorization_code']);
});

test('who is registered by hand registers no more, and asks for the scopes that are written down', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const oauth = { clientId: 'by-hand', clientSecret: 'hand-secret', scopes: ['read', 'write'] };
  const { call } = await visit(openLogins({ openPage }), { ...server, oauth });
  expect(await call()).toEqual(seen);
  expect(server.asked).toEqual(['authorize', 'authorization_code']);
  expect(new URL(pages[0] ?? '').searchParams.get('client_id')).toBe('by-hand');
  expect(new URL(pages[0] ?? '').searchParams.get('scope')).toBe('read write');
  expect(server.sent[0]?.get('client_secret')).toBe('hand-secret');
});

test('a program logs in as itself, without a page', async () => {
  const server = await serveProtected();
  const oauth = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'robot-secret' };
  const { call } = await visit(openLogins(), { ...server, oauth });
  expect(await call()).toEqual(seen);
  server.revokeAccess();
  expect(await call()).toEqual(seen);
  expect(server.asked).toEqual(['client_credentials', 'client_credentials']);
});

test('a call that needs more is asked for once, with what was granted before', async () => {
  const server = await serveProtected();
  server.ways.scopeNeeded = 'write';
  const { openPage, pages } = browser();
  const { call } = await visit(openLogins({ openPage }), { ...server, oauth: { scopes: 'read' } });
  expect(await call()).toEqual(seen);
  expect(pages.map((page) => new URL(page).searchParams.get('scope'))).toEqual(['read', 'read write']);
});

// Another process may take the port between the two logins.
test('the browser comes back to the port that is registered, as long as it is free', { retry: 2 }, async () => {
  const server = await serveProtected();
  const tokens = memoryTokenStore();
  const { openPage, pages } = browser();
  const { call } = await visit(openLogins({ openPage, tokens }), server);
  server.revokeAccess();
  server.revokeRefresh();
  expect(await call()).toEqual(seen);
  expect(server.asked.filter((one) => one === 'register')).toHaveLength(1);
  const [first, second] = pages.map((page) => new URL(page).searchParams.get('redirect_uri'));
  expect(second).toBe(first);
});

test('a server with a key of its own, or that says never, has no login', async () => {
  const logins = openLogins();
  const server = { name: 'vault', url: 'http://127.0.0.1:1/mcp' };
  expect(logins.open({ ...server, oauth: undefined, hasOwnKey: true }, fetch)).toBeUndefined();
  expect(logins.open({ ...server, oauth: false, hasOwnKey: false }, fetch)).toBeUndefined();
  expect(logins.open({ ...server, oauth: {}, hasOwnKey: true }, fetch)).toBeDefined();
});
