// A server or an authorization server that is in trouble for a while costs no login, and gets nothing that is meant for another.

import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { browser, openLogins, realClock, visit } from './support/login-visitor.ts';
import { type Protected, serveProtected } from './support/protected-server.ts';

const seen = { type: 'text', text: 'seen' };

const says = (status: number, body: string, type: string) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': type }).end(body);
const silent = () => {};
const page = '<!doctype html><p>We are back soon.</p>';

/** Logged in, with a token that is not taken any more. */
async function loggedIn() {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  // Who waits for nothing does not wait long here.
  const clock: typeof realClock = {
    ...realClock,
    after: (ms, wake) => realClock.after(server.ways.describe === silent ? 300 : ms, wake),
  };
  const { call } = await visit(openLogins({ openPage, clock }), server);
  server.revokeAccess();
  return { server, call, pages };
}

async function failsAndRecovers({ server, call, pages }: Awaited<ReturnType<typeof loggedIn>>) {
  const failed = await call().catch((error: unknown) => error);
  expect(server.asked.filter((one) => one === 'authorize')).toHaveLength(1);
  Object.assign(server.ways, { describe: undefined, giveToken: undefined } satisfies Partial<Protected['ways']>);
  expect(await call()).toEqual(seen);
  expect(pages).toHaveLength(1);
  expect(server.strayed).toEqual([]);
  return failed;
}

test.each([
  ['is out of order', says(503, '', 'text/plain'), 'network'],
  ['is out of order behind a gateway', says(502, page, 'text/html'), 'network'],
  ['has had enough', says(429, '', 'text/plain'), 'rate_limit'],
  ['shows a page', says(200, page, 'text/html'), 'network'],
  ['says something else', says(200, '{"status":"starting"}', 'application/json'), 'network'],
  ['says nothing', silent, 'timeout'],
])('the description of a server %s: the call fails, the login stays', async (_, describe, itsClass) => {
  const visitor = await loggedIn();
  visitor.server.ways.describe = describe;
  expect(await failsAndRecovers(visitor)).toMatchObject({
    code: 'tool-source-failed',
    class: itsClass,
    retryable: true,
    message: expect.stringMatching(/^The login to vault failed: .*HTTP \d|does not answer/),
  });
});

test('a server that has no description is its own authorization server, as it always was', async () => {
  const { server, call } = await loggedIn();
  server.ways.describe = says(404, '', 'text/plain');
  await expect(call()).rejects.toMatchObject({ class: 'auth' });
  expect(server.strayed).toContain('/.well-known/oauth-authorization-server');
});

test('the secret of a program goes to nobody while it is not known who gives tokens', async () => {
  const server = await serveProtected();
  server.ways.describe = says(503, '', 'text/plain');
  const oauth = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'robot-secret' };
  await expect(visit(openLogins(), { ...server, oauth })).rejects.toMatchObject({ class: 'network' });
  expect(server.strayed).toEqual([]);
});

test.each([
  ['has had enough', says(429, '{"error":"slow_down"}', 'application/json'), 'rate_limit', true],
  ['was not quick enough', says(408, '', 'text/plain'), 'timeout', true],
  ['is out of order, and blames us', says(503, '{"error":"invalid_grant"}', 'application/json'), 'network', true],
  ['stands behind a firewall', says(403, page, 'text/html'), 'auth', false],
  ['is not there', says(404, page, 'text/html'), 'auth', false],
  ['is in trouble, politely', says(400, '{"error":"temporarily_unavailable"}', 'application/json'), 'auth', false],
  ['gives a page', says(200, page, 'text/html'), 'auth', false],
])('who gives tokens %s: the call fails, the login stays', async (_, giveToken, itsClass, retryable) => {
  const visitor = await loggedIn();
  visitor.server.ways.giveToken = giveToken;
  expect(await failsAndRecovers(visitor)).toMatchObject({ code: 'tool-source-failed', class: itsClass, retryable });
});

test('a login that nobody can renew, for a reason that nobody knows: the failure names the way out', async () => {
  const { server, call } = await loggedIn();
  server.ways.giveToken = says(400, '{"error":"odd"}', 'application/json');
  await expect(call()).rejects.toMatchObject({ remedy: expect.stringContaining('ai-agent logout <agent file>') });
});

test.each(['invalid_grant', 'invalid_client', 'unauthorized_client', 'bad_refresh_token'])(
  'who gives tokens says %s: a person is asked',
  async (error) => {
    const { server, call, pages } = await loggedIn();
    server.ways.giveToken = (response) => {
      server.ways.giveToken = undefined;
      return says(400, JSON.stringify({ error }), 'application/json')(response);
    };
    expect(await call()).toEqual(seen);
    expect(pages).toHaveLength(2);
  },
);
