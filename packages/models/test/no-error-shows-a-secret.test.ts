// Keys, and every value that came from a variable, are in no message and no cause, however a provider repeats them.

import { inspect } from 'node:util';
import { createModels, type ProviderConfig } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closedPort, contextOf, failureOf, modelAt, requestOf, variable, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const key = 'sk-very-secret-1234567890';

/** All that anybody could print. */
function printed(error: Error): string {
  const everything = { depth: 10, showHidden: true, maxStringLength: null, breakLength: Number.POSITIVE_INFINITY };
  return `${error.message}\n${inspect(error, everything)}\n${JSON.stringify(error)}`;
}

describe.each(ways)('asked %s', (_, context) => {
  test.each([
    ['the message', 401, {}, `{"error":{"message":"Incorrect API key: Bearer ${key}"}}`],
    ['another field', 401, {}, `{"error":{"message":"bad","headers":{"authorization":"Bearer ${key}"}}}`],
    ['a header', 401, { 'x-debug': key }, '{"error":{"message":"bad"}}'],
    ['a page', 502, {}, `<html><p>${key}</p></html>`],
    ['where it is cut', 500, {}, `${'x'.repeat(290)}${key}`],
    ['where the page is cut', 500, {}, `${'x '.repeat(1995)}${key}`],
    ['a reply that is none', 200, {}, `{"hello":"${key}"}`],
    ['a reply that is broken', 200, {}, `{"choices":"${key}`],
    ['an error in place of a reply', 200, {}, `{"error":{"metadata":{"raw":"key ${key} refused"}}}`],
    ['an error in a stream', 200, {}, `data: {"error":{"metadata":{"raw":["key ${key} refused"]}}}\n\n`],
    ['an event that is broken', 200, {}, `data: {"choices":"${key}\n\n`],
    ['a redirect', 302, { location: `https://elsewhere.test/?key=${key}` }, ''],
  ])('in %s', async (_, status, headers, body) => {
    const { baseUrl } = await serve((_, response) => response.writeHead(status, headers).end(body));
    const failure = await failureOf((await modelAt(baseUrl, { apiKey: key })).call(requestOf(), context()));
    expect(printed(failure)).not.toContain('sk-ver');
    expect(failure.message).toMatch(/^local\/a-model: \S/);
  });

  test('a key with quotes is found as it stands in JSON', async () => {
    const odd = 'pa"ss\\word-1234567';
    const { baseUrl } = await serve((_, response) => response.writeHead(401).end(JSON.stringify({ oops: odd })));
    const failure = await failureOf((await modelAt(baseUrl, { apiKey: odd })).call(requestOf(), context()));
    expect(failure.message).toContain('{"oops":"***"}');
    expect(printed(failure)).not.toContain('word-1234567');
  });

  test('a secret that is part of another one leaves nothing of it', async () => {
    const { baseUrl } = await serve((_, response) => response.writeHead(401).end('It is abcdefgh-ijklmnop.'));
    const options = { apiKey: 'abcdefgh', headers: { 'x-key': 'abcdefgh-ijklmnop' } };
    const failure = await failureOf((await modelAt(baseUrl, options)).call(requestOf(), context()));
    expect(failure.message).toContain('It is ***.');
  });

  test.each([
    ['as a whole', { 'x-other': 'another-secret' }, 'another-secret'],
    ['in its last word', { authorization: 'Token another-secret' }, 'another-secret'],
  ])('a header is a secret, %s', async (_, headers, secret) => {
    const { baseUrl } = await serve((_, response) => response.writeHead(401).end(`No ${secret} here.`));
    const failure = await failureOf((await modelAt(baseUrl, { headers })).call(requestOf(), context()));
    expect(failure.message).toContain('No *** here.');
    expect(printed(failure)).not.toContain(secret);
  });
});

async function failureWith(config: Partial<ProviderConfig>, env: Record<string, string>) {
  const { baseUrl } = await serve((request, response) => response.writeHead(404).end(`No ${request.url} here.`));
  const provider = { type: 'openai-compatible', baseUrl, ...config } as const;
  const own = { ...provider, baseUrl: provider.baseUrl.replace('SERVER', baseUrl) };
  const models = createModels({ providers: { own } });
  onTestFinished(() => models.close());
  return failureOf((await models.resolve('own/m', { env })).call(requestOf(), contextOf()));
}

test.each(['SERVER/KEY', 'SERVER?key=KEY', 'SERVER/KEY?key=KEY'])('a variable in the address %s', async (address) => {
  const failure = await failureWith({ baseUrl: address.replaceAll('KEY', variable('KEY')) }, { KEY: 'short' });
  expect(failure.status).toBe(404);
  expect(failure.message).toContain('***');
  expect(printed(failure)).not.toContain('short');
});

test('what is no secret stays readable: the host that nobody answers at', async () => {
  const host = `127.0.0.1:${await closedPort()}`;
  const failure = await failureWith({ baseUrl: `http://${variable('HOST')}/v1` }, { HOST: host });
  expect(failure.code).toBe('model-network');
  expect(failure.message).toContain(host);
});

test('a value too short to be a secret strikes out nothing', async () => {
  const failure = await failureWith({ headers: { 'x-shard': variable('SHARD') } }, { SHARD: 'e' });
  expect(failure.message).toContain('No /v1/chat/completions here.');
});
