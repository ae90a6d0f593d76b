// The promise: a key that stands in a page is good from the origins that it names, for what their visitors need, and for nothing else.

import { expect, test } from 'vitest';
import type { KeySettings } from '../src/index.ts';
import { as, governed, secretOf } from './support/governed.ts';

const page = 'https://www.example.com';
const settings = { origins: [page], agents: ['echo'], requestsPerMinute: 100 };
const keys = { site: settings, desk: {} };
const json = { 'content-type': 'application/json' };

interface Asking {
  readonly method?: string;
  readonly origin?: string | null;
  readonly key?: string;
  readonly body?: object;
}

function house() {
  const { app } = governed({ keys });
  const ask = (path: string, { method = 'GET', origin = page, key = 'site', body }: Asking = {}) =>
    app.request(path, {
      method,
      ...as(key, { ...json, ...(origin === null ? {} : { origin }) }),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const start = async () => {
    const started = await ask('/v1/sessions', { method: 'POST', body: { agent: 'echo', input: 'Hello.' } });
    return ((await started.json()) as { id: string }).id;
  };
  return { app, ask, start };
}

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

test('a visitor lists the agents that it names, starts a session, reads, follows and ends it', async () => {
  const { ask, start } = house();
  const listed = (await (await ask('/v1')).json()) as { agents: { name: string }[] };
  expect(listed.agents.map(({ name }) => name)).toEqual(['echo']);
  const id = await start();
  expect(await (await ask(`/v1/sessions/${id}/events`)).text()).toContain('I am echo.');
  expect(await (await ask(`/v1/sessions/${id}`)).json()).toMatchObject({ id, status: 'completed', text: 'I am echo.' });
  for (const action of ['stop', 'cancel'])
    expect((await ask(`/v1/sessions/${id}/${action}`, { method: 'POST' })).status).toBe(200);
  expect(await codeOf(await ask(`/v1/sessions/${id}/answer`, { method: 'POST', body: { answer: 'Yes.' } }))).toEqual([
    409,
    'question-unknown',
  ]);
});

test.each([null, 'https://evil.example', 'http://www.example.com', 'https://www.example.com:8443', 'null'])(
  'from %s it is good for nothing',
  async (origin) => {
    const { ask, start } = house();
    const id = await start();
    const refused = [
      await ask('/v1', { origin }),
      await ask(`/v1/sessions/${id}`, { origin }),
      await ask('/v1/sessions', { method: 'POST', origin, body: { agent: 'echo', input: 'Hello.' } }),
    ];
    for (const reply of refused) {
      expect(reply.headers.get('access-control-allow-origin')).toBe(null);
      expect(await codeOf(reply)).toEqual([403, 'origin-refused']);
    }
  },
);

test('a page that we are behind reads without an origin, as browsers do; no other does', async () => {
  const { app } = house();
  const from = async (host: string, site: string) =>
    (await app.request('/v1', as('site', { host, 'sec-fetch-site': site }))).status;
  expect(await from('www.example.com', 'same-origin')).toBe(200);
  expect(await from('www.example.com', 'cross-site')).toBe(403);
  expect(await from('evil.example', 'same-origin')).toBe(403);
});

test.each([
  ['GET', '/v1/sessions'],
  ['DELETE', '/v1/sessions/s1'],
  ['GET', '/v1/echo?q=hello'],
  ['POST', '/v1/echo'],
  ['GET', '/v1/models'],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/messages'],
  ['POST', '/mcp'],
  ['GET', '/openapi.json'],
  ['GET', '/v1/sessions/s1/facts/1'],
  ['POST', '/v1/sessions/s1/budget'],
  ['GET', '/v1/sessions/s1%2Fevents/more'],
  ['GET', '/nothing'],
])('%s %s is not for it', async (method, path) => {
  const { ask } = house();
  const reply = await ask(path, { method, ...(method === 'POST' ? { body: {} } : {}) });
  const { error } = (await reply.json()) as { error: { code: string; message: string } };
  expect([reply.status, error.code]).toEqual([403, 'key-limited']);
  expect(error.message).toContain('start a session');
});

test('it cannot wait for an answer, which would show more than a visitor may see', async () => {
  const { ask, start } = house();
  const id = await start();
  const reply = await ask(`/v1/sessions/${id}/answer`, { method: 'POST', body: { answer: 'Yes.', wait: true } });
  expect(await codeOf(reply)).toEqual([403, 'key-limited']);
});

test('another agent than those it names is refused, and so is a session of another key', async () => {
  const { app, ask } = house();
  expect(await codeOf(await ask('/v1/sessions', { method: 'POST', body: { agent: 'other', input: 'a' } }))).toEqual([
    403,
    'agent-forbidden',
  ]);
  const started = await app.request('/v1/echo?q=hello', as('desk'));
  const id = started.headers.get('x-ai-agent-session');
  expect(await codeOf(await ask(`/v1/sessions/${id}`))).toEqual([404, 'session-unknown']);
});

const wish = { origin: page, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-other' };

test('browsers of its pages are told what they may send and read, at its addresses alone', async () => {
  const { app, ask } = house();
  const asked = (path: string, headers = wish) => app.request(path, { method: 'OPTIONS', headers });
  for (const path of ['/v1/sessions', '/v1/sessions/s1/events', '/v1/sessions/s1/cancel', '/v1', '/v1/chat']) {
    const preflight = await asked(path);
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-headers': 'authorization, content-type, last-event-id, x-ai-agent-user',
    });
  }
  expect((await asked('/v1/echo')).headers.get('access-control-allow-origin')).toBe(null);
  expect((await asked('/v1', { ...wish, origin: 'https://evil.example' })).status).toBe(401);
  const replies = [
    await ask('/v1'),
    await ask('/v1/sessions/none'),
    await app.request('/v1', { headers: { origin: page } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 404, 401]);
  for (const { headers } of replies) {
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([page, 'Origin']);
    expect(headers.get('access-control-expose-headers')).toContain('x-ai-agent-session');
  }
});

test('keys that are secrets are as they were, and no page of these origins reads with them', async () => {
  const { app, ask } = house();
  expect((await app.request('/v1/echo?q=hello', as('desk'))).status).toBe(200);
  expect((await ask('/v1', { key: 'desk' })).headers.get('access-control-allow-origin')).toBe(null);
});

test.each<[Partial<KeySettings>, string]>([
  [{ agents: ['a'] }, 'needs requestsPerMinute too'],
  [{ requestsPerMinute: 1 }, 'needs agents too'],
  [{}, 'needs agents and requestsPerMinute too'],
  [{ ...settings, origins: [] }, 'origins must be a list'],
  [{ ...settings, origins: ['*'] }, 'origins must be a list'],
  [{ ...settings, origins: ['https://www.example.com/'] }, 'origins must be a list'],
])('%j leaves too much open', (some, problem) => {
  expect(() => governed({ keys: { site: { origins: [page], ...some } } })).toThrow(problem);
});

test('what is refused never shows the key', async () => {
  const { ask } = house();
  expect(await (await ask('/mcp', { method: 'POST', body: {} })).text()).not.toContain(secretOf('site'));
});
