// Keys, and every value that came from a variable, are in no message, no cause and no stack, however a provider repeats them.

import type { ServerResponse } from 'node:http';
import { createModels, type ProviderConfig } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf, variable, ways } from './support/calling.ts';
import { closedPort } from './support/closed-port.ts';
import { printedOf } from './support/printed.ts';
import { serve } from './support/raw-server.ts';
import { wires } from './support/wires/index.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

const key = 'sk-very-secret-1234567890';
/** What is left of it when it was cut. */
const trace = 'sk-ver';

type Echo = readonly [string, (response: ServerResponse, wire: Wire) => void];
const echo = (status: number, body: (wire: Wire) => string, headers: Record<string, string> = {}) =>
  ((response, wire) => response.writeHead(status, headers).end(body(wire))) satisfies Echo[1];

/** Whether the failure has the provider's words in it or not: never the key. */
const echoes: readonly Echo[] = [
  ['the message', echo(401, (wire) => wire.error(401, `Incorrect API key provided: Bearer ${key}.`))],
  ['the message of a refusal', echo(400, (wire) => wire.error(400, `Unknown field ${key}`))],
  ['the message of a limit', echo(429, (wire) => wire.error(429, `Key ${key} is over its limit`))],
  ['another field', echo(401, () => `{"error":{"message":"bad","headers":{"authorization":"Bearer ${key}"}}}`)],
  ['the name of a field', echo(400, () => `{"error":{"message":"bad","details":{"${key}":["${key}"]}}}`)],
  ['JSON in JSON', echo(500, () => JSON.stringify({ error: { message: JSON.stringify({ key }) } }))],
  ['a header', echo(401, (wire) => wire.error(401, 'bad'), { 'x-debug': key, 'www-authenticate': `Bearer ${key}` })],
  ['a cookie', echo(500, (wire) => wire.error(500, 'bad'), { 'set-cookie': `session=${key}` })],
  ['a page', echo(502, () => `<html><head><title>${key}</title></head><p>${key}</p></html>`)],
  ['the attribute of a page', echo(502, () => `<html><a href="?key=${key}">Again</a></html>`)],
  ['where it is cut', echo(500, () => `${'x'.repeat(290)}${key}`)],
  ['where the message is cut', echo(500, (wire) => wire.error(500, `${'x'.repeat(490)}${key}`))],
  ['where the page is cut', echo(500, () => `${'x '.repeat(1995)}${key}`)],
  ['a reply that is none', echo(200, () => `{"hello":"${key}"}`)],
  ['a reply that is broken', echo(200, () => `{"choices":"${key}`)],
  ['an error in place of a reply', echo(200, () => `{"error":{"metadata":{"raw":"key ${key} refused"}}}`)],
  ['an error in a stream', echo(200, (wire) => wire.streamError(`key ${key} refused`))],
  [
    'an error in a stream that had begun',
    echo(200, (wire) => wire.stream({ text: 'Half an answer' })[0] + wire.streamError(`key ${key} refused`)),
  ],
  ['an odd error in a stream', echo(200, () => `data: {"error":{"metadata":{"raw":["key ${key} refused"]}}}\n\n`)],
  ['an event that is broken', echo(200, () => `data: {"choices":"${key}\n\n`)],
  ['an event of another kind', echo(200, () => `data: {"type":"${key}","choices":"${key}"}\n\n`)],
  ['a redirect', echo(302, () => '', { location: `https://elsewhere.test/?key=${key}` })],
  ['the type of the body', echo(200, () => 'No stream at all', { 'content-type': `text/plain; key=${key}` })],
  ['an encoding that nobody knows', echo(200, () => 'No', { 'content-encoding': key })],
  [
    'the words beside the status',
    (response) => {
      response.writeHead(403, `Key ${key} forbidden`).end();
    },
  ],
];

describe.each(wires.map((wire) => [wire.label, wire] as const))('%s', (_, wire) => {
  describe.each(ways)('asked %s', (_, context) => {
    test.each(echoes)('a key in %s', async (_, answer) => {
      const { model, requests } = await serveWire(wire, [(response) => answer(response, wire)], { apiKey: key });
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(printedOf(failure)).not.toContain(trace);
      expect(failure.message).toMatch(/^mine\/\S+: \S/);
      // It was sent, or nothing is shown here.
      const [header, value] = wire.auth(key);
      expect(requests[0]?.headers[header]).toBe(value);
    });

    test('a key in the address, which is not found', async () => {
      const { model, requests } = await serveWire(
        wire,
        [(response, { path }) => response.writeHead(404).end(`<p>No ${path} at http://here.test${path}</p>`)],
        { addressAt: (origin) => `${origin}${wire.basePath}?token=${key}` },
      );
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(requests[0]?.path).toContain(key);
      expect(failure.status).toBe(404);
      expect(printedOf(failure)).not.toContain(trace);
    });

    test.each([
      ['as a whole', { 'x-other': 'another-secret' }],
      ['in its last word', { 'x-other': 'Token another-secret' }],
    ])('a header of the configuration, %s', async (_, headers) => {
      const { model } = await serveWire(
        wire,
        [(response) => response.writeHead(401).end(wire.error(401, 'No another-secret here.'))],
        { config: { headers } },
      );
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(failure.message).toContain('No *** here.');
      expect(printedOf(failure)).not.toContain('another-secret');
    });

    test('a key when nobody answers', async () => {
      const port = await closedPort();
      const { model } = await serveWire(wire, [], {
        apiKey: key,
        addressAt: () => `http://127.0.0.1:${port}${wire.basePath}?token=${key}`,
      });
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(failure.code).toBe('model-network');
      expect(printedOf(failure)).not.toContain(trace);
    });
  });
});

test.each([
  ['in JSON', (odd: string) => JSON.stringify({ oops: odd })],
  ['in an address', (odd: string) => `/models?key=${encodeURIComponent(odd)}`],
  ['on a page', (odd: string) => `<p>${odd.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</p>`],
])('a key with odd letters is found as it is written %s', async (_, toBody) => {
  const odd = 'pa"ss\\&word-1234567';
  const { baseUrl } = await serve((_, response) => response.writeHead(401).end(toBody(odd)));
  const failure = await failureOf((await modelAt(baseUrl, { apiKey: odd })).call(requestOf(), contextOf()));
  expect(failure.message).toContain('***');
  expect(printedOf(failure)).not.toContain('word-1234567');
});

test('a secret that is part of another one leaves nothing of it', async () => {
  const { baseUrl } = await serve((_, response) => response.writeHead(401).end('It is abcdefgh-ijklmnop.'));
  const options = { apiKey: 'abcdefgh', headers: { 'x-key': 'abcdefgh-ijklmnop' } };
  const failure = await failureOf((await modelAt(baseUrl, options)).call(requestOf(), contextOf()));
  expect(failure.message).toContain('It is ***.');
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
  expect(printedOf(failure)).not.toContain('short');
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
