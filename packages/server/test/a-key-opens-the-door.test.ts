// The promise: where there are keys, nobody comes in without one; where there are none, whatever is sent is ignored.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp, hashOf, Keys, listen, rest } from '../src/index.ts';
import { as, governed, onSocket, secretOf, send } from './support/governed.ts';

const three = { first: {}, second: {}, third: {} };

test.each(Object.keys(three))('the key %s, in either header', async (name) => {
  const { app } = governed({ keys: three });
  const secret = secretOf(name);
  for (const headers of [
    { authorization: `Bearer ${secret}` },
    { authorization: `bearer   ${secret} ` },
    { 'x-api-key': secret },
    { authorization: `Bearer ${secret}`, 'x-api-key': secret },
    { authorization: 'Basic eDp5', 'x-api-key': secret },
  ])
    expect((await app.request('/v1/echo?q=hello', { headers: headers as Record<string, string> })).status).toBe(200);
});

const none = 'This server wants a key, and none was sent.';
const wrong = 'The key that was sent is none of this server.';
const two = 'Two different keys were sent; this server wants one alone.';

test.each<[string, Record<string, string>, string]>([
  ['no key', {}, none],
  ['a wrong key', { authorization: 'Bearer aia_wrong' }, wrong],
  ['an empty key', { authorization: 'Bearer ', 'x-api-key': '' }, none],
  ['a key without its scheme', { authorization: secretOf('first') }, none],
  ['a key in the wrong case', { 'x-api-key': secretOf('first').toUpperCase() }, wrong],
  ['the beginning of a key', { 'x-api-key': secretOf('first').slice(0, -1) }, wrong],
  ['two keys', { authorization: `Bearer ${secretOf('first')}`, 'x-api-key': secretOf('second') }, two],
  ['a right and a wrong one', { authorization: `Bearer ${secretOf('first')}`, 'x-api-key': 'wrong' }, two],
  ['two wrong ones', { authorization: 'Bearer wrong-too', 'x-api-key': 'wrong' }, two],
  ['two in one header', { 'x-api-key': `${secretOf('first')}, ${secretOf('second')}` }, wrong],
])('%s: 401, in the same words wherever it knocks', async (_, headers, words) => {
  const { app, hall } = governed({ keys: three });
  for (const path of ['/v1', '/v1/echo?q=hello', '/v1/nobody?q=hello', '/v1/sessions/s1', '/nothing']) {
    const response = await app.request(path, { headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const { error } = (await response.json()) as { error: object };
    expect(error).toMatchObject({ class: 'auth', code: 'key-refused', retryable: false });
    expect(error).toHaveProperty('message', words);
    expect(JSON.stringify([error, [...response.headers]])).not.toMatch(/aia_|sha256/);
  }
  expect(hall.running).toBe(0);
});

test('health and readiness are for everybody', async () => {
  const { app } = governed({ keys: three });
  expect((await app.request('/health')).status).toBe(200);
  expect((await app.request('/ready')).status).toBe(200);
  expect((await app.request('/health/more')).status).toBe(401);
});

test('without keys, any key is as good as none', async () => {
  const { app } = governed();
  for (const headers of [{}, { authorization: 'Bearer sk-any' }, { 'x-api-key': 'a', authorization: 'Bearer b' }])
    expect((await app.request('/v1/echo?q=hello', { headers: headers as Record<string, string> })).status).toBe(200);
});

test('over a socket, also for who says a header twice', async () => {
  const { url } = await onSocket({ keys: three });
  expect((await send(`${url}/v1/echo?q=a`, {})).status).toBe(401);
  expect((await fetch(`${url}/v1/echo?q=a`, as('second'))).status).toBe(200);
  const twice = [secretOf('first'), secretOf('second')];
  expect((await send(`${url}/v1/echo?q=a`, { 'x-api-key': twice })).status).toBe(401);
});

test('a key that is not of plain letters alone', async () => {
  const { clock, hall } = governed();
  const keys = new Keys({ desk: { hash: hashOf('schlüssel-日本') } }, clock);
  const { url, close } = await listen(createApp(hall, [rest()], { keys }), { port: 0 });
  onTestFinished(() => close(0));
  const sent = Buffer.from('schlüssel-日本').toString('latin1');
  expect((await send(`${url}/v1/echo?q=a`, { 'x-api-key': sent })).status).toBe(200);
  expect((await send(`${url}/v1/echo?q=a`, { 'x-api-key': sent.slice(1) })).status).toBe(401);
});

test('a set of keys that lets in nobody, or that nobody can tell apart, is none', () => {
  const clock = { now: () => 0, monotonicMs: () => 0, after: () => () => {} };
  const hash = `sha256:${'a'.repeat(64)}`;
  expect(() => new Keys({}, clock)).toThrow('There are no keys');
  expect(() => new Keys({ desk: { hash: secretOf('desk') } }, clock)).toThrow(
    /^The key desk: hash must be sha256: and 64 hexadecimal digits\.$/,
  );
  expect(() => new Keys({ a: { hash }, b: { hash: `sha256:${'A'.repeat(64)}` } }, clock)).toThrow('same hash');
});

test.each<[object, string]>([
  [{ agent: ['desk'] }, 'agent is not known'],
  [{ agents: 'desk' }, 'agents must be a list of names'],
  [{ agents: [] }, 'at least one'],
  [{ budget: { token: 1 } }, 'budget.token is not known'],
  [{ budget: { tokens: -1 } }, 'budget.tokens is -1'],
  [{ allowance: { tokens: 5 } }, 'allowance.per must be'],
  [{ allowance: { per: 'day' } }, 'allowance must bound'],
  [{ allowance: { per: 'day', costUsd: 0 } }, 'above 0'],
  [{ allowance: { per: 'day', costs: 1 } }, 'costs is not known'],
  [{ requestsPerMinute: 0 }, 'requestsPerMinute must be a whole number from 1'],
  [{ concurrency: 1.5 }, 'concurrency must be a whole number from 1'],
])('%j is said of no key', (settings, words) => {
  const clock = { now: () => 0, monotonicMs: () => 0, after: () => () => {} };
  expect(() => new Keys({ desk: { hash: `sha256:${'a'.repeat(64)}`, ...settings } }, clock)).toThrow(words);
});

test('every key is compared, in constant time, whichever fits', () => {
  const source = readFileSync(join(import.meta.dirname, '../src/keys.ts'), 'utf8');
  const [, body = ''] = /#find\(key: string\)[^{]*\{([\s\S]*?)\n {2}\}/.exec(source) ?? [];
  expect(body).toMatch(
    /for \(const entry of this\.#entries\)\s+if \(timingSafeEqual\(entry\.digest, digest\)\) found = /,
  );
  expect(body.match(/\breturn\b|\bbreak\b/g)).toEqual(['return']);
});
