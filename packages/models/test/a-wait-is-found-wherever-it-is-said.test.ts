// How long a provider wants us to wait: in headers, in fields of the body, in its words. The rest is no wait.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { retryAfterMs } from '../src/failures/retry-after.ts';
import { contextOf, failureOf, modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const now = 1_750_000_000_000;
const said = (message: string) => ({ error: { message } });

test.each([
  [said('Rate limit reached for x in organization y. Limit: 3 / min. Please try again in 20s.'), 20_000],
  [said('Please try again in 1.2s. Visit us to learn more.'), 1_200],
  [said('Please try again in 20ms.'), 20],
  [said('Please try again in 1m2s'), 62_000],
  [said('Please try again in 6m0s.'), 360_000],
  [said('Please retry after 25 seconds.'), 25_000],
  [said('Please retry in 34.074824224s.'), 34_075],
  [said('Please wait 2 minutes and go on'), 120_000],
  [{ error: 'Too many. Try again in 3 s.' }, 3_000],
  [{ detail: 'Retry in 7s' }, 7_000],
  [{ error: { details: [{ reason: 'x' }, { retryDelay: '34.07s' }] } }, 34_070],
  [[{ error: { details: [{ retryDelay: '2s' }] } }], 2_000],
  [{ error: { message: 'm', retry_after: 8 } }, 8_000],
  [{ retry_after: '1.5' }, 1_500],
  [{ retry_after_ms: 250, retry_after: 9 }, 250],
  [{ error: { metadata: { retry_after_seconds: 4 } } }, 4_000],
  [{ error: { metadata: { headers: { 'X-RateLimit-Reset': `${now + 11_000}` } } } }, 11_000],
  [{ retry_after: 86_400 }, 3_600_000],
])('%j asks for %i ms', (body, expected) => {
  expect(retryAfterMs({ body: JSON.stringify(body), now })).toBe(expected);
});

test.each([
  [said('Please try again in a moment.')],
  [said('Please try again in 5 apples.')],
  [said('The model was trained in 2024s of steps')],
  [{ retry_after: -1 }],
  [{ retry_after: 'tomorrow' }],
  [{ error: { details: [{ retryDelay: {} }, null, 'x'], metadata: [] } }],
  ['just a text'],
  [null],
])('%j asks for none', (body) => {
  expect(retryAfterMs({ body: JSON.stringify(body), now })).toBeUndefined();
});

test('headers go before the body', () => {
  const body = JSON.stringify({ retry_after: 9 });
  expect(retryAfterMs({ headers: { 'retry-after': '2' }, body, now })).toBe(2_000);
  expect(retryAfterMs({ headers: { 'retry-after': 'soon' }, body, now })).toBe(9_000);
});

test('a long body is read in no time', () => {
  const begun = performance.now();
  expect(retryAfterMs({ body: JSON.stringify(said('try again in 1 1 1 '.repeat(3_000))), now })).toBeUndefined();
  expect(retryAfterMs({ body: `[${'1,'.repeat(1e6)}1]`, now })).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test.each(ways)('a failure has it, asked %s', async (_, context) => {
  const body = JSON.stringify({ error: { message: 'Please try again in 1m2s', type: 'rate_limit_error' } });
  const { baseUrl } = await serve((_, response) => response.writeHead(429).end(body));
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), context()));
  expect(failure).toMatchObject({ code: 'model-rate-limit', retryAfterMs: 62_000 });
});

test('also when it comes in the middle of a stream', async () => {
  const event = `data: ${JSON.stringify({ error: { message: 'Please try again in 3s', type: 'rate_limit_error' } })}\n\n`;
  const { baseUrl } = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event),
  );
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf({ onDelta: () => {} })));
  expect(failure).toMatchObject({ code: 'model-rate-limit', retryAfterMs: 3_000 });
});

const recordings = process.env.PROVIDER_RECORDINGS;

test.skipIf(!recordings)(
  'a recorded refusal of Google (skipped unless PROVIDER_RECORDINGS names the recordings)',
  () => {
    const body = readFileSync(join(recordings ?? '', 'google/google-429-retry-info.json'), 'utf8');
    expect(retryAfterMs({ body, now })).toBe(34_400);
  },
);
