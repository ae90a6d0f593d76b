// Whatever a provider or the way to it does wrong, the failure has a code, a class, a status and words, and no key.

import { createServer } from 'node:net';
import type { ErrorCode } from '@ai-agent/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf, ways } from './support/calling.ts';
import { closedPort } from './support/closed-port.ts';
import { serve } from './support/raw-server.ts';

const error = (message: string, type = 'some_error', code: string | null = null) =>
  JSON.stringify({ error: { message, type, code, param: null } });

const answers: readonly [ErrorCode, string, number, string][] = [
  ['model-auth', 'auth', 401, error('Incorrect key')],
  ['model-auth', 'auth', 403, error('Not allowed')],
  ['model-quota', 'quota', 402, error('Pay first')],
  ['model-quota', 'quota', 429, error('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota')],
  ['model-quota', 'quota', 429, error('Account suspended', 'exceeded_current_quota_error')],
  ['model-quota', 'quota', 400, error('Your credit balance is too low')],
  ['model-quota', 'quota', 400, error('Not in good standing', 'Arrearage', 'Arrearage')],
  ['model-quota', 'quota', 403, error('Pay first', 'insufficient_balance')],
  ['model-quota', 'quota', 503, error('Pay first', 'error', 'insufficient_quota')],
  ['model-auth', 'auth', 400, error('API key not valid. Please pass a valid API key.')],
  ['model-auth', 'auth', 400, '{"code":"Client specified an invalid argument","error":"Incorrect API key provided"}'],
  ['model-rate-limit', 'rate_limit', 429, error('Slow down', 'rate_limit_error')],
  ['model-request-refused', 'model', 413, error('Tokens per minute', 'tokens', 'rate_limit_exceeded')],
  ['model-timeout', 'timeout', 408, error('Too slow')],
  ['model-timeout', 'timeout', 504, '<html><body>Gateway Timeout</body></html>'],
  ['model-request-refused', 'model', 400, error('max_tokens is too large')],
  ['model-request-refused', 'model', 404, error('No such model')],
  ['model-request-refused', 'model', 413, ''],
  ['model-request-refused', 'model', 422, JSON.stringify({ detail: 'unprocessable' })],
  ['model-refusal', 'model', 400, error('Filtered', 'invalid_request_error', 'content_filter')],
  ['model-refusal', 'model', 403, error('Your input was flagged')],
  ['model-unavailable', 'model', 499, error('The operation was cancelled')],
  ['model-unavailable', 'model', 409, error('Conflict')],
  ['model-unavailable', 'model', 425, error('Too early')],
  ['model-unavailable', 'model', 498, error('Capacity exceeded', 'capacity_exceeded')],
  ['model-unavailable', 'model', 500, error('Oops')],
  ['model-unavailable', 'model', 503, ''],
  ['model-unavailable', 'model', 529, error('Overloaded')],
];

describe.each(ways)('asked %s', (_, context) => {
  test.each(answers)('%s (%s) from status %i %s', async (code, failureClass, status, body) => {
    const { baseUrl } = await serve((_, response) => response.writeHead(status).end(body));
    const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), context()));
    expect(failure).toMatchObject({ code, class: failureClass, status });
    expect(failure.message).toMatch(/^local\/a-model: \S/);
    const said = /"message":"([^"]*)"/.exec(body)?.[1] ?? '';
    expect(failure.message).toContain(said);
    expect(failure.cause).toBeDefined();
  });

  test.each([
    [{ error: { code: 401, message: 'No credentials' } }, { code: 'model-auth', status: 401 }],
    [{ error: { code: 402, message: 'Insufficient credits' } }, { code: 'model-quota', status: 402 }],
    [{ error: { code: '429', message: 'Slow down' } }, { code: 'model-rate-limit', status: 429 }],
    [{ error: { type: 'rate_limit_error', message: 'Slow down' } }, { code: 'model-rate-limit' }],
    [{ error: { code: 'invalid_api_key', message: 'No' } }, { code: 'model-auth' }],
    [{ error: 'Loading the model' }, { code: 'model-unavailable' }],
    [
      { object: 'error', message: 'Too long', code: 400 },
      { code: 'model-request-refused', status: 400 },
    ],
  ])('status 200 with %j', async (body, expected) => {
    const { baseUrl } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
    const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), context()));
    expect(failure).toMatchObject(expected);
    expect(failure.message).toMatch(/^local\/a-model: (No|Ins|Slow|Load|Too)/);
  });

  test.each([
    ['a page', 'text/html', '<html><body>Please log in</body></html>'],
    ['nothing at all', 'application/json', ''],
    ['another JSON', 'application/json', '{"hello":"world"}'],
    ['JSON that is broken', 'application/json', '{"choices":'],
  ])('%s instead of a reply', async (_, type, body) => {
    const { baseUrl } = await serve((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
    const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), context()));
    expect(failure).toMatchObject({ code: 'model-reply-invalid', class: 'model', retryable: true });
  });

  test('nobody listens there', async () => {
    const port = await closedPort();
    const failure = await failureOf((await modelAt(`http://127.0.0.1:${port}/v1`)).call(requestOf(), context()));
    expect(failure).toMatchObject({ code: 'model-network', class: 'network', retryable: true });
    expect(failure.message).toContain('ECONNREFUSED');
  });

  test('the server hangs up at once', async () => {
    const { baseUrl } = await serve((request) => request.socket.destroy());
    const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), context()));
    expect(failure.code).toBe('model-network');
  });

  test('the server does not speak HTTP', async () => {
    const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const failure = await failureOf((await modelAt(`http://127.0.0.1:${port}/v1`)).call(requestOf(), context()));
    expect(failure.code).toBe('model-network');
  });

  test('a redirect is refused, and says where it leads', async () => {
    const { baseUrl } = await serve((_, response) =>
      response.writeHead(308, { location: 'https://elsewhere.test/v2' }).end(),
    );
    const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), context()));
    expect(failure).toMatchObject({ code: 'model-request-refused', status: 308 });
    expect(failure.message).toContain('https://elsewhere.test/v2');
  });

  test('an endless message is bounded', async () => {
    const { baseUrl } = await serve((_, response) => response.writeHead(400).end(error('x'.repeat(50_000))));
    const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), context()));
    expect(failure.message.length).toBeLessThan(600);
    expect(failure.message).toContain('xxxx');
  });
});

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
  [{ 'retry-after': 'Sun, 29 Feb 2032 23:59:59 GMT' }, 61_000],
  [{ 'retry-after': 'Sun, 29 Feb 2032 20:00:00 GMT' }, 0],
  [{ 'retry-after': 'Fri, 29 Feb 2036 20:00:00 GMT' }, 3_600_000],
  [{ 'retry-after': '99999999999' }, 3_600_000],
  [{ 'retry-after': '9'.repeat(400) }, 3_600_000],
  [{ 'retry-after-ms': '9'.repeat(400) }, 3_600_000],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
])('%o asks to wait %s ms', async (headers, expected) => {
  const { baseUrl } = await serve((_, response) => response.writeHead(429, headers).end(error('Slow down')));
  const now = () => Date.parse('2032-02-29T23:58:58Z');
  const failure = await failureOf((await modelAt(baseUrl, { now })).call(requestOf(), contextOf()));
  expect(failure.retryAfterMs).toBe(expected);
});
