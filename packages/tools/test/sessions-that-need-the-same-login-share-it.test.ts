// However many need a login at the same time, one page is shown; who gives up takes nothing from the others.

import { expect, test } from 'vitest';
import { browser, openAuth, openLogins, visit } from './support/login-visitor.ts';
import { serveProtected } from './support/protected-server.ts';

test('one page for all', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const logins = openLogins({ openPage });
  const visitors = await Promise.all([visit(logins, server), visit(logins, server), visit(logins, server)]);
  await Promise.all(visitors.map(({ call }) => call()));
  expect(pages).toHaveLength(1);
  expect(server.asked).toEqual(['register', 'authorize', 'authorization_code']);
});

test('other settings are another login', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const logins = openLogins({ openPage });
  await Promise.all([
    visit(logins, { ...server, oauth: { clientId: 'a' } }),
    visit(logins, { ...server, oauth: { clientId: 'b' } }),
  ]);
  expect(pages.map((page) => new URL(page).searchParams.get('client_id')).toSorted()).toEqual(['a', 'b']);
});

test('one gives up: the other still gets it', async () => {
  const server = await serveProtected();
  const person = Promise.withResolvers<void>();
  const shown = Promise.withResolvers<void>();
  const { openPage, pages } = browser();
  const logins = openLogins({
    async openPage(url) {
      shown.resolve();
      await person.promise;
      await openPage(url);
    },
  });
  const stop = new AbortController();
  const impatient = visit(logins, { ...server, signal: stop.signal });
  const patient = visit(logins, server);
  await shown.promise;
  // Both wait for the same one by now.
  await expect.poll(() => server.asked).toEqual(['register']);
  stop.abort(new TypeError('enough'));
  await expect(impatient).rejects.toThrow('enough');
  person.resolve();
  expect(await (await patient).call()).toEqual({ type: 'text', text: 'seen' });
  expect(pages).toHaveLength(1);
});

test('who comes after a login that was called off begins anew', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const stop = new AbortController();
  let isFirst = true;
  const logins = openLogins({
    async openPage(url) {
      if (!isFirst) return openPage(url);
      isFirst = false;
      stop.abort(new TypeError('enough'));
    },
  });
  await expect(visit(logins, { ...server, signal: stop.signal })).rejects.toThrow('enough');
  await visit(logins, server);
  expect(pages).toHaveLength(1);
});

test('a login that is there already is not asked for again', async () => {
  const server = await serveProtected();
  const { openPage, pages } = browser();
  const logins = openLogins({ openPage });
  const auth = openAuth(logins, server);
  const early = await auth.provider
    .onUnauthorized?.({ response: await auth.fetch(server.url), serverUrl: new URL(server.url), fetchFn: fetch })
    .catch((error: unknown) => error);
  await visit(logins, server);
  await auth.complete(early, new AbortController().signal);
  expect(pages).toHaveLength(1);
});
