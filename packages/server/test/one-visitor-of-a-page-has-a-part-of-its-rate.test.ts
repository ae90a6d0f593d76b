// The promise: whoever floods a page uses up a quarter of its key's rate, by the address of the connection, and no header changes that.

import { expect, test } from 'vitest';
import { visitorAddressOf, withAddress } from '../src/address.ts';
import { as, governed } from './support/governed.ts';

const origin = 'https://www.example.com';
const keys = { site: { origins: [origin], agents: ['echo'], requestsPerMinute: 8 } };

function house() {
  const { app, clock } = governed({ keys });
  const start = async (address: string | undefined, headers = {}) => {
    const init = as('site', { origin, 'content-type': 'application/json', ...headers });
    const body = JSON.stringify({ agent: 'echo', input: 'Hello.' });
    const request = new Request('http://localhost/v1/sessions', { method: 'POST', ...init, body });
    const reply = await app.request(withAddress(request, address));
    return reply.status;
  };
  return { start, clock };
}

const many = (count: number, one: () => Promise<number>) => Array.from({ length: count }, one);

test('a quarter for one, and the rest for others', async () => {
  const { start, clock } = house();
  expect(await Promise.all(many(3, () => start('203.0.113.5')))).toEqual([201, 201, 429]);
  expect(await start('203.0.113.5', { 'x-forwarded-for': '198.51.100.7' })).toBe(429);
  expect(await Promise.all(many(2, () => start('198.51.100.7')))).toEqual([201, 201]);
  expect(await Promise.all(many(2, () => start('2001:db8::1')))).toEqual([201, 201]);
  expect(await start('2001:db8:0:0:9::2')).toBe(429);
  clock.advance(30_000);
  expect(await start('203.0.113.5')).toBe(201);
});

test('where nobody knows who comes, all have the rate of the key together', async () => {
  const { start } = house();
  const statuses = await Promise.all(many(9, () => start('127.0.0.1')));
  expect(statuses.filter((status) => status === 201)).toHaveLength(8);
});

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8::6', '2001:db8:0:0'],
  ['::ffff:10.0.0.1', undefined],
  ['172.20.0.3', undefined],
  ['fd00::1', undefined],
  ['::1', undefined],
  [undefined, undefined],
])('%s is counted as %s', (address, counted) => {
  expect(visitorAddressOf(withAddress(new Request('http://localhost/'), address))).toBe(counted);
});
