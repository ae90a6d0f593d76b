// The promise: an error that OpenRouter passes on is told in the words of whoever failed, wherever in the answer it stands.

import { createModels } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';
import { openrouter } from './support/wires/openrouter.ts';
import { type Answer, serveWire } from './support/wires/serve-wire.ts';

async function failure(answer: Answer, context = contextOf()) {
  const { model } = await serveWire(openrouter, [answer]);
  return failureOf(model.call(requestOf(), context));
}

const failed =
  (status: number, error: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify({ error }));

test.each([
  [400, 'model-request-refused'],
  [401, 'model-auth'],
  [402, 'model-quota'],
  [408, 'model-timeout'],
  [429, 'model-rate-limit'],
  [502, 'model-unavailable'],
  [503, 'model-unavailable'],
])('status %i is %s', async (code, expected) => {
  expect(await failure(failed(code, { code, message: 'No.' }))).toMatchObject({
    code: expected,
    status: code,
    message: expect.stringContaining('No.'),
  });
});

describe('a provider that returned an error', () => {
  const told = async (metadata: unknown, message = 'Provider returned error') =>
    (await failure(failed(400, { code: 400, message, metadata }))).message;

  test('is heard', async () => {
    const raw = JSON.stringify({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'tools.0: too long' },
    });
    expect(await told({ raw, provider_name: 'Anthropic' })).toContain('Anthropic: tools.0: too long');
    expect(await told({ raw: JSON.parse(raw), provider_name: 'Anthropic' })).toContain('Anthropic: tools.0: too long');
    expect(await told({ raw: 'upstream is gone' })).toMatch(/: upstream is gone$/);
  });

  test('but not where the gateway has words of its own, or the provider none', async () => {
    expect(await told({ raw: 'hidden' }, 'No such model.')).toMatch(/: No such model\.$/);
    for (const metadata of [undefined, null, {}, { raw: '' }, { raw: 7 }])
      expect(await told(metadata)).toMatch(/: Provider returned error$/);
  });
});

test('nobody waits longer than until there are requests to spend again', async () => {
  const now = 1_741_305_600_000;
  const headers = { 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(now + 7000) };
  const wait = async (answer: Answer) => {
    const { baseUrl } = await serve((_, response) => (answer as (r: typeof response) => void)(response));
    const models = createModels({ providers: { openrouter: { baseUrl } }, now: () => now });
    onTestFinished(() => models.close());
    const model = await models.resolve('openrouter/m', { env: {} });
    return (await failureOf(model.call(requestOf(), contextOf()))).retryAfterMs;
  };
  const error = { code: 429, message: 'Slow down.' };
  expect(await wait(failed(429, error, headers))).toBe(7000);
  expect(await wait(failed(429, { ...error, metadata: { headers } }))).toBe(7000);
  expect(await wait(failed(429, error, { ...headers, 'X-RateLimit-Reset': String(now / 1000 + 9) }))).toBe(9000);
  expect(await wait(failed(429, error, { ...headers, 'Retry-After': '2' }))).toBe(2000);
  expect(await wait(failed(429, error, { ...headers, 'X-RateLimit-Remaining': '3' }))).toBeUndefined();
});

describe.each(ways)('in an answer that began well, %s', (_, context) => {
  const error = { code: 502, message: 'Provider disconnected', metadata: { provider_name: 'Anthropic' } };
  const answer =
    (fields: object): Answer =>
    (response, { isStreamed }) => {
      const body = JSON.stringify({ id: 'gen-1', ...fields });
      response.end(
        isStreamed ? `data: {"choices":[{"delta":{"content":"So"}}]}\n\ndata: ${body}\n\ndata: [DONE]\n\n` : body,
      );
    };
  const message = { content: '' };
  const ended = { index: 0, message, delta: message, finish_reason: 'error' };

  test.each([
    ['beside the choices', { error, choices: [ended] }],
    ['alone', { error }],
    ['in a choice', { choices: [{ ...ended, error }] }],
  ])('%s', async (_name, fields) => {
    expect(await failure(answer(fields), context())).toMatchObject({
      code: 'model-unavailable',
      status: 502,
      message: expect.stringContaining('Provider disconnected'),
    });
  });

  test('without a word', async () => {
    expect((await failure(answer({ choices: [ended] }), context())).code).toBe('model-unavailable');
  });
});

test('comments in a stream are nothing', async () => {
  const { model } = await serveWire(openrouter, [
    (response) => {
      const processing = ': OPENROUTER PROCESSING\n\n';
      const [comment = '', ...events] = openrouter.stream({ text: 'So it is.' });
      expect(comment).toBe(processing);
      response.end(processing.repeat(3) + events.join(processing));
    },
  ]);
  const { message } = await model.call(requestOf(), contextOf({ onDelta: () => {} }));
  expect(message.content).toEqual([{ type: 'text', text: 'So it is.' }]);
});

test('it hears who asks only from the configuration', async () => {
  const headers = { 'HTTP-Referer': 'https://house.test', 'X-Title': 'House' };
  for (const config of [{}, { headers }]) {
    const { model, requests } = await serveWire(openrouter, [{ text: 'So.' }], { config });
    await model.call(requestOf(), contextOf());
    const sent = requests[0]?.headers;
    const isSaid = 'headers' in config;
    expect([sent?.['http-referer'], sent?.['x-title']]).toEqual(
      isSaid ? ['https://house.test', 'House'] : [undefined, undefined],
    );
  }
});
