// Every status with every provider's own words for it: one code and one class, the words kept, and how long to wait.

import { catalogue, type ErrorCode } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { closedPort } from './support/closed-port.ts';
import { printedOf } from './support/printed.ts';
import { wires } from './support/wires/index.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const statuses: readonly (readonly [number, ErrorCode])[] = [
  [400, 'model-request-refused'],
  [401, 'model-auth'],
  [402, 'model-quota'],
  [403, 'model-auth'],
  [404, 'model-request-refused'],
  [408, 'model-timeout'],
  [409, 'model-unavailable'],
  [413, 'model-request-refused'],
  [422, 'model-request-refused'],
  [429, 'model-rate-limit'],
  [500, 'model-unavailable'],
  [502, 'model-unavailable'],
  [503, 'model-unavailable'],
  [504, 'model-timeout'],
  [529, 'model-unavailable'],
];

const waits: readonly (readonly [Record<string, string>, number | undefined])[] = [
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
  [{ 'retry-after': 'Sun, 29 Feb 2032 23:59:59 GMT' }, 61_000],
  [{ 'retry-after': 'soon' }, undefined],
];

const message = 'Something is wrong – falsch – with "it".';

describe.each(wires.map((wire) => [wire.label, wire] as const))('%s', (_, wire) => {
  describe.each(ways)('asked %s', (_, context) => {
    test.each(statuses)('status %i is %s', async (status, code) => {
      const { model, requests } = await serveWire(wire, [
        (response) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(wire.error(status, message)),
        (response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<html><p>Alas</p></html>'),
        (response) => response.writeHead(status).end(),
      ]);
      const { class: failureClass, retryable = false } = catalogue[code] as (typeof catalogue)['model-timeout'];
      for (const words of [message, 'Alas', /: \S/]) {
        const failure = await failureOf(model.call(requestOf(), context()));
        expect(failure).toMatchObject({ code, class: failureClass, retryable, status });
        expect(failure.message).toMatch(words);
        expect(failure.message.startsWith(`mine/${wire.model}: `)).toBe(true);
      }
      expect(requests).toHaveLength(3);
    });

    test('what caused it is small, and holds nothing of the conversation', async () => {
      const { model } = await serveWire(wire, [
        (response) => response.writeHead(500).end(wire.error(500, 'Oops')),
        (response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(`{"hello":"${'x'.repeat(50_000)}"}`),
        (response) => response.writeHead(400).end(wire.error(400, 'y'.repeat(50_000))),
      ]);
      for (const code of ['model-unavailable', 'model-reply-invalid', 'model-request-refused']) {
        const failure = await failureOf(model.call(requestOf({ system: 'A most private prompt.' }), context()));
        expect(failure.code).toBe(code);
        expect(failure.message.length).toBeLessThan(700);
        const printed = printedOf(failure);
        expect(printed.length).toBeLessThan(50_000);
        expect(printed).not.toContain('private prompt');
      }
    });
  });

  test.each(waits)('%o asks to wait %s ms', async (headers, expected) => {
    const now = () => Date.parse('2032-02-29T23:58:58Z');
    const { model } = await serveWire(
      wire,
      [429, 503].map((status) => (response) => response.writeHead(status, headers).end(wire.error(status, message))),
      { now },
    );
    for (const _ of [429, 503])
      expect((await failureOf(model.call(requestOf(), contextOf()))).retryAfterMs).toBe(expected);
  });

  test('nobody listens there', async () => {
    const port = await closedPort();
    const { model } = await serveWire(wire, [], { addressAt: () => `http://127.0.0.1:${port}${wire.basePath}` });
    for (const [, context] of ways) {
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(failure).toMatchObject({ code: 'model-network', class: 'network', retryable: true });
      expect(failure.message).toContain('ECONNREFUSED');
    }
  });
});
