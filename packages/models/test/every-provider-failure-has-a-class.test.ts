// Whatever a provider or the way to it does wrong, the failure has a code, a class, a status and words, and no key.

import { createServer } from 'node:net';
import type { ErrorCode } from '@ai-agent/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const error = (message: string, type = 'some_error', code: string | null = null) =>
  JSON.stringify({ error: { message, type, code, param: null } });

const answers: readonly [ErrorCode, string, number, string][] = [
  ['model-auth', 'auth', 401, error('Incorrect key')],
  ['model-auth', 'auth', 403, error('Not allowed')],
  ['model-quota', 'quota', 402, error('Pay first')],
  ['model-quota', 'quota', 429, error('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota')],
  ['model-rate-limit', 'rate_limit', 429, error('Slow down', 'rate_limit_error')],
  ['model-timeout', 'timeout', 408, error('Too slow')],
  ['model-timeout', 'timeout', 504, '<html><body>Gateway Timeout</body></html>'],
  ['model-request-refused', 'model', 400, error('max_tokens is too large')],
  ['model-request-refused', 'model', 404, error('No such model')],
  ['model-request-refused', 'model', 413, ''],
  ['model-request-refused', 'model', 422, JSON.stringify({ detail: 'unprocessable' })],
  ['model-refusal', 'model', 400, error('Filtered', 'invalid_request_error', 'content_filter')],
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

  test('the key is struck out wherever the provider repeats it', async () => {
    const apiKey = 'sk-very-secret-1234';
    const { baseUrl } = await serve((request, response) => {
      response.writeHead(401).end(error(`Incorrect API key: ${request.headers.authorization}`));
    });
    const model = await modelAt(baseUrl, { apiKey, headers: { 'x-other-key': 'another-secret' } });
    const failure = await failureOf(model.call(requestOf(), context()));
    expect(failure.message).toContain('Incorrect API key');
    expect(`${failure.message} ${dump(failure)}`).not.toContain(apiKey);
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
  [{ 'retry-after': 'soon' }, undefined],
])('%o asks to wait %s ms', async (headers, expected) => {
  const { baseUrl } = await serve((_, response) => response.writeHead(429, headers).end(error('Slow down')));
  const now = () => Date.parse('2032-02-29T23:58:58Z');
  const failure = await failureOf((await modelAt(baseUrl, { now })).call(requestOf(), contextOf()));
  expect(failure.retryAfterMs).toBe(expected);
});

function dump(error: unknown): string {
  const seen: string[] = [];
  for (let next = error; next instanceof Error; next = next.cause)
    seen.push(JSON.stringify(next, Object.getOwnPropertyNames(next)));
  return seen.join('\n');
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
