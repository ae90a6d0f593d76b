// The promise: browsers let pages of named origins ask and read, and of no others; unless somebody names one, of none.

import { expect, test } from 'vitest';
import { as, governed, onSocket, secretOf, send } from './support/governed.ts';

const page = 'https://app.example';
const wish = {
  origin: page,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

test.each([{ keys: { desk: {} } }, {}])('a browser asks before it sends, without a key', async (keys) => {
  const { app } = governed({ ...keys, cors: [page, 'http://localhost:3000'] });
  const response = await app.request('/v1/echo', { method: 'OPTIONS', headers: wish });
  expect([response.status, await response.text()]).toEqual([204, '']);
  const said = Object.fromEntries(response.headers);
  expect(said).toMatchObject({
    'access-control-allow-origin': page,
    'access-control-allow-headers': 'authorization,content-type',
    vary: 'Origin, Access-Control-Request-Headers',
  });
  expect(said['access-control-allow-methods']).toMatch(/GET.*POST/);
  expect(said).not.toHaveProperty('access-control-allow-credentials');
});

test('clients of models in a page may send what they always send', async () => {
  const { app } = governed({ keys: { desk: {} }, cors: [page] });
  const asked = 'anthropic-dangerous-direct-browser-access,anthropic-version,content-type,x-api-key,x-stainless-lang';
  const headers = { ...wish, 'access-control-request-headers': asked };
  const response = await app.request('/v1/messages', { method: 'OPTIONS', headers });
  expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([204, asked]);
});

test('an answer, an error and a refusal can all be read, with the headers that matter', async () => {
  const { app } = governed({ keys: { desk: {} }, cors: [page] });
  const headers = { origin: page };
  const replies = [
    await app.request('/v1/echo?q=hello', as('desk', headers)),
    await app.request('/v1/nobody?q=hello', as('desk', headers)),
    await app.request('/nothing', as('desk', headers)),
    await app.request('/v1/echo?q=hello', { headers }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 404, 404, 401]);
  for (const { headers: said } of replies) {
    expect(said.get('access-control-allow-origin')).toBe(page);
    expect(said.get('vary')).toBe('Origin');
    const exposed = said.get('access-control-expose-headers')?.split(', ');
    for (const name of ['x-ai-agent-session', 'x-ai-agent-status', 'x-ai-agent-limit', 'retry-after', 'location'])
      expect(exposed).toContain(name);
    for (const name of ['x-request-id', 'request-id', 'x-should-retry']) expect(exposed).toContain(name);
  }
});

test('pages that are not named get nothing of it, and what is kept on the way is not theirs', async () => {
  const { app } = governed({ keys: { desk: {} }, cors: [page] });
  for (const origin of ['https://app.example.evil.example', 'http://app.example', 'https://app.example:8443', 'null']) {
    const response = await app.request('/v1/echo?q=hello', as('desk', { origin }));
    expect([response.headers.get('access-control-allow-origin'), response.headers.get('vary')]).toEqual([
      null,
      'Origin',
    ]);
    const asked = await app.request('/v1/echo', { method: 'OPTIONS', headers: { ...wish, origin } });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([401, null]);
  }
});

test('every page, where there are keys; never where there are none', async () => {
  const { app } = governed({ keys: { desk: {} }, cors: ['*'] });
  const response = await app.request('/v1/echo?q=hello', as('desk', { origin: 'https://any.example' }));
  expect(response.headers.get('access-control-allow-origin')).toBe('https://any.example');
  expect(() => governed({ cors: ['*'] })).toThrow('cors may be * only where there are keys');
});

test('off, it is as if it did not exist: OPTIONS is a wrong method', async () => {
  const { url } = await onSocket({ keys: { desk: {} } });
  const authorization = `Bearer ${secretOf('desk')}`;
  const asked = await send(`${url}/v1/echo`, { ...wish, authorization }, 'OPTIONS');
  expect([asked.status, JSON.parse(asked.text)]).toMatchObject([405, { error: { code: 'method-wrong' } }]);
  expect(asked.headers.allow).toContain('POST');
  const answered = await send(`${url}/v1/echo?q=hello`, { origin: page, authorization });
  expect(answered.status).toBe(200);
  expect(Object.keys(answered.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('a stream can be read too', async () => {
  const { url } = await onSocket({ keys: { desk: {} }, cors: [page] });
  const response = await send(`${url}/v1/echo?q=hello`, {
    ...{ origin: page, accept: 'text/event-stream' },
    'x-api-key': secretOf('desk'),
  });
  expect(response.headers['access-control-allow-origin']).toBe(page);
  expect(response.text).toContain('event: outcome');
});
