// A login that comes to nothing ends soon, with a failure of class auth that says why, and with its door closed.

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { browser, openLogins, visit } from './support/login-visitor.ts';
import { serveProtected } from './support/protected-server.ts';

async function isClosed(page: string | undefined): Promise<boolean> {
  const back = new URL(page ?? '').searchParams.get('redirect_uri') ?? '';
  return fetch(back).then(
    () => false,
    () => true,
  );
}

test('the person says no', async () => {
  const server = await serveProtected();
  server.ways.page = 'denies';
  const { openPage, pages } = browser();
  const failed = await visit(openLogins({ openPage }), server).catch((error: unknown) => error);
  expect(failed).toMatchObject({ class: 'auth', code: 'tool-source-failed' });
  expect(failed).toHaveProperty('message', 'The login to vault was refused: access_denied: The person [31m said no');
  expect(await isClosed(pages[0])).toBe(true);
});

test('an answer with another state, and no other', async () => {
  const server = await serveProtected();
  server.ways.page = 'mixes up';
  const { openPage, pages } = browser();
  const failed = await visit(openLogins({ openPage, loginTimeoutMs: 1_000 }), server).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    class: 'auth',
    message: 'The login to vault was answered by a page of another login.',
  });
  expect(server.asked).not.toContain('authorization_code');
  expect(await isClosed(pages[0])).toBe(true);
});

test('a stray request ends no login', async () => {
  const server = await serveProtected();
  const { openPage } = browser();
  const statuses: number[] = [];
  const disturb = async (url: string) => {
    const back = new URL(url).searchParams.get('redirect_uri') ?? '';
    for (const query of ['', '?state=another&code=theirs', '?error=access_denied'])
      statuses.push((await fetch(`${back}${query}`)).status);
    await openPage(url);
  };
  const { call } = await visit(openLogins({ openPage: disturb }), server);
  expect(await call()).toEqual({ type: 'text', text: 'seen' });
  expect(statuses).toEqual([400, 400, 400]);
});

test('nobody comes back in time', async () => {
  const server = await serveProtected();
  server.ways.page = 'says nothing';
  const { openPage, pages } = browser();
  const failed = await visit(openLogins({ openPage, loginTimeoutMs: 200 }), server).catch((error: unknown) => error);
  expect(failed).toMatchObject({ class: 'auth', message: expect.stringContaining('Nobody logged in to vault within') });
  expect(await isClosed(pages[0])).toBe(true);
});

test('it is called off', async () => {
  const server = await serveProtected();
  server.ways.page = 'says nothing';
  const stop = new AbortController();
  const { openPage, pages } = browser();
  const openAndStop = async (url: string) => {
    await openPage(url);
    stop.abort(new TypeError('called off'));
  };
  const visiting = visit(openLogins({ openPage: openAndStop }), { ...server, signal: stop.signal });
  await expect(visiting).rejects.toThrow('called off');
  await expect.poll(() => isClosed(pages[0])).toBe(true);
});

test('nobody is there: nothing is registered, and the remedy names the way', async () => {
  const server = await serveProtected();
  const failed = await visit(openLogins(), server).catch((error: unknown) => error);
  expect(failed).toMatchObject({ class: 'auth', remedy: expect.stringContaining('ai-agent login <agent file>') });
  expect(server.asked).toEqual([]);
});

test('the page cannot be shown', async () => {
  const server = await serveProtected();
  const openPage = () => Promise.reject(new TypeError('no browser'));
  const visiting = visit(openLogins({ openPage }), server);
  await expect(visiting).rejects.toMatchObject({ class: 'auth', remedy: expect.stringContaining('BROWSER') });
});

test('a server that wants a key and has no login', async () => {
  const other = createHttpServer((_, response) => void response.writeHead(401).end()).listen(0, '127.0.0.1');
  onTestFinished(() => other.closeAllConnections());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const visiting = visit(openLogins(browser()), { url: `http://127.0.0.1:${port}/mcp` });
  await expect(visiting).rejects.toMatchObject({
    class: 'auth',
    message: 'vault wants to know who we are, and offers no login.',
    remedy: expect.stringContaining('headers of mcpServers.vault'),
  });
  other.close();
});

test('the port is taken', async () => {
  const server = await serveProtected();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const visiting = visit(openLogins(browser()), { ...server, oauth: { redirectPort: port } });
  await expect(visiting).rejects.toMatchObject({ class: 'config', remedy: expect.stringContaining('redirectPort') });
  other.close();
});

test('a token that was just given is refused: no second page', async () => {
  const server = await serveProtected();
  server.ways.takesTokens = false;
  const { openPage, pages } = browser();
  const failed = await visit(openLogins({ openPage }), server).catch((error: unknown) => error);
  expect(failed).toMatchObject({ class: 'auth', message: 'vault refuses the token that it has just been given.' });
  expect(pages).toHaveLength(1);
});

test('a call that is refused for want of rights, whatever is granted: no page after the second', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const { call } = await visit(openLogins({ openPage }), server);
  server.ways.scopeNeeded = 'never granted by this page';
  await expect(call()).rejects.toMatchObject({ class: 'auth' });
  expect(pages).toHaveLength(2);
});

test('only the one path of the one address is listened to', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const statuses: number[] = [];
  const lookAround = async (url: string) => {
    const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    statuses.push((await fetch(new URL('/', back))).status);
    statuses.push((await fetch(back, { method: 'POST' })).status);
    statuses.push((await fetch(new URL(`http://localhost:${back.port}${back.pathname}`))).status);
    await openPage(url);
  };
  await visit(openLogins({ openPage: lookAround }), server);
  expect(statuses).toEqual([404, 404, 404]);
  expect(pages).toHaveLength(1);
});
