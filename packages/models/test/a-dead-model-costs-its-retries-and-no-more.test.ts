// What cannot be mended is asked for once, what may pass is asked for maxRetries times, and then the next model is asked.

import type { ServerResponse } from 'node:http';
import { ask, type Model } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { hastyClock } from './support/clocks.ts';
import { wires } from './support/wires/index.ts';
import { type Answer, send, serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

const maxRetries = 3;

/** On the way to the provider nobody waits either. */
const serving = (wire: Wire, answers: readonly Answer[]) => serveWire(wire, answers, { clock: hastyClock() });

async function run(models: readonly Model[], stream: boolean, prompt = 'Hello') {
  const clock = hastyClock();
  const agent = {
    name: 'a',
    instructions: 'You answer.',
    model: models,
    limits: { maxRetries },
    settings: { stream },
  };
  const outcome = await ask(agent, prompt, { ports: fakePorts({ clock }) });
  const ended = outcome.status === 'failed' ? outcome.failure.code : outcome.text;
  return { ended, pauses: clock.pauses };
}

type Failing = (response: ServerResponse, wire: Wire) => void;
const status =
  (code: number, headers: Record<string, string> = {}): Failing =>
  (response, wire) =>
    response.writeHead(code, headers).end(wire.error(code, 'It is so'));

const deaths: readonly (readonly [string, Failing, string, number])[] = [
  ['500', status(500), 'model-unavailable', maxRetries],
  ['529', status(529), 'model-unavailable', maxRetries],
  ['429', status(429), 'model-rate-limit', maxRetries],
  ['408', status(408), 'model-timeout', maxRetries],
  ['400', status(400), 'model-request-refused', 1],
  ['401', status(401), 'model-auth', 1],
  ['402', status(402), 'model-quota', 1],
  ['403', status(403), 'model-auth', 1],
  ['404', status(404), 'model-request-refused', 1],
  ['a connection that is closed at once', (response) => response.socket?.destroy(), 'model-network', maxRetries],
  [
    'a page in place of a reply',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
    'model-reply-invalid',
    maxRetries,
  ],
  [
    'a reply that is cut',
    (response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('{"id":');
      setImmediate(() => response.socket?.destroySoon());
    },
    'model-network',
    maxRetries,
  ],
];

describe.each(wires.map((wire) => [wire.label, wire] as const))('%s', (_, wire) => {
  describe.each([
    ['whole', false],
    ['streamed', true],
  ] as const)('asked %s', (_, stream) => {
    test.each(deaths)('%s', async (_, failing, code, count) => {
      const { model, requests } = await serving(wire, [(response) => failing(response, wire)]);
      const { ended, pauses } = await run([model], stream);
      expect([ended, requests.length]).toEqual([code, count]);
      expect(pauses).toHaveLength(count - 1);
      for (const [i, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual(500 * 2 ** i);
        expect(pause).toBeLessThanOrEqual(1000 * 2 ** i);
      }
    });

    test.each([
      ['what may pass', status(503), maxRetries],
      ['what does not', status(401), 1],
    ])('after %s, the next model is asked', async (_, failing, count) => {
      const { model, requests } = await serving(wire, [(response) => failing(response, wire)]);
      const next = scriptedModel(['From the next.']);
      expect((await run([model, next], stream)).ended).toBe('From the next.');
      expect([requests.length, next.requests.length]).toEqual([count, 1]);
    });

    test('a provider that comes back is asked no more than it takes', async () => {
      const { model, requests } = await serving(wire, [
        (response) => status(500)(response, wire),
        (response) => response.socket?.destroy(),
        { text: 'Here again.' },
      ]);
      expect((await run([model], stream)).ended).toBe('Here again.');
      expect(requests).toHaveLength(3);
    });

    test('it waits as long as it is asked to', async () => {
      const { model } = await serving(wire, [
        (response) => status(429, { 'retry-after': '17' })(response, wire),
        { text: 'Now.' },
      ]);
      expect(await run([model], stream)).toMatchObject({ ended: 'Now.', pauses: [17_000] });
    });

    test('a kept connection that is closed under the next request costs no request more', async () => {
      const close: Answer = (response) => response.socket?.destroy();
      const first: Answer = (response, { isStreamed }) => send(response, wire, { reply: { text: 'One.' }, isStreamed });
      const { model, requests } = await serving(wire, [first, close]);
      expect((await run([model], stream)).ended).toBe('One.');
      expect((await run([model], stream)).ended).toBe('model-network');
      expect(requests).toHaveLength(1 + maxRetries);
    });
  });
});
