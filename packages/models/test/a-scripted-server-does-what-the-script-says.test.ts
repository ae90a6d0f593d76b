// The same script gives the same replies and failures in process and over HTTP.

import type { ErrorCode } from '@ai-agent/core';
import { type Step, scriptedModel } from '@ai-agent/core/testing';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';

async function open(script: readonly (Step | string)[]) {
  const model = await scriptedHttpModel(script);
  onTestFinished(() => model.close());
  return model;
}

const steps: readonly Step[] = [
  { text: 'Hello' },
  { text: 'Grüße ☃ 🎿', usage: {} },
  {
    calls: [
      { name: 'add', input: { a: 1 } },
      { name: 'add', input: '{"a":', id: 'own' },
    ],
  },
  {
    text: 'And',
    calls: [{ name: 'add' }],
    usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1, reasoningTokens: 1 },
  },
  { text: 'Cut', finishReason: 'length' },
  { text: 'No', finishReason: 'content-filter' },
  { text: 'Well', finishReason: 'other' },
  { text: '' },
];

describe.each(ways)('asked %s', (_, context) => {
  test.each(steps)('%o', async (step) => {
    const expected = await scriptedModel([step]).call(requestOf(), contextOf());
    const { servedBy, ...reply } = await (await open([step])).call(requestOf(), context());
    expect(reply).toEqual(expected);
    expect(servedBy).toBe('model');
  });

  const codes: readonly ErrorCode[] = [
    'model-auth',
    'model-quota',
    'model-rate-limit',
    'model-timeout',
    'model-network',
    'model-unavailable',
    'model-request-refused',
    'model-reply-invalid',
    'model-refusal',
  ];
  test.each(codes)('%s', async (code) => {
    const model = await open(['first', { fail: { code, retryAfterMs: 1500 } }]);
    await model.call(requestOf(), context());
    const failure = await failureOf(model.call(requestOf(), context()));
    expect(failure.code).toBe(code);
    expect(failure.retryAfterMs).toBe(failure.status === undefined ? undefined : 1500);
    expect(model.requests).toHaveLength(2);
  });

  test('reasoning', async () => {
    const reply = await (await open([{ reasoning: 'Hm.', text: 'So.' }])).call(requestOf(), context());
    expect(reply.message.content).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'So.' },
    ]);
  });

  test('a script that has run out is said, and not tried again', async () => {
    const failure = await failureOf((await open([])).call(requestOf(), context()));
    expect(failure).toMatchObject({ code: 'model-request-refused', retryable: false });
    expect(failure.message).toContain('no step for model call 1');
  });

  test('latency and conditions are waited for', async () => {
    const gate = Promise.withResolvers<void>();
    const model = await open([{ text: 'late', latencyMs: 30, until: gate.promise }]);
    let isAnswered = false;
    const reply = model.call(requestOf(), context()).finally(() => {
      isAnswered = true;
    });
    await vi.waitFor(() => expect(model.server.inFlight).toBe(1));
    expect(isAnswered).toBe(false);
    gate.resolve();
    await reply;
    expect(model.server.aborted).toBe(0);
  });
});

describe('it is as strict as a provider', () => {
  const good = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
  const ask = async (body: object, init: RequestInit = {}, path = '/chat/completions') => {
    const { server } = await open(['a b c']);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...init,
    });
    const type = answer.headers.get('content-type');
    return { status: answer.status, type, text: await answer.text(), requests: server.requests };
  };

  test.each([
    [404, '/completions', {}, good],
    [404, '/chat/completions/x', {}, good],
    [404, '/chat/completions', { method: 'PUT' }, good],
    [415, '/chat/completions', { headers: { 'content-type': 'text/plain' } }, good],
    [400, '/chat/completions', {}, { ...good, messages: [{ role: 'robot', content: 'Hi' }] }],
    [200, '/chat/completions?x=1', { headers: { 'content-type': 'application/json; charset=utf-8' } }, good],
  ])('%i for %s with %o', async (status, path, init, body) => {
    const answer = await ask(body, init, path);
    expect([answer.status, answer.type, answer.requests.length]).toEqual([
      status,
      'application/json',
      status === 200 ? 1 : 0,
    ]);
  });

  test('usage comes with a stream when it is asked for', async () => {
    const [without, withUsage] = [
      await ask({ ...good, stream: true }),
      await ask({ ...good, stream: true, stream_options: { include_usage: true } }),
    ];
    expect([without.type, without.text.includes('usage'), withUsage.text.includes('usage')]).toEqual([
      'text/event-stream',
      false,
      true,
    ]);
  });

  test('a developer speaks as the system does', async () => {
    const { requests } = await ask({ ...good, messages: [{ role: 'developer', content: 'Be' }, ...good.messages] });
    expect(requests[0]).toMatchObject({ system: 'Be', messages: [{ role: 'user' }] });
  });

  test('a stream comes event by event', async () => {
    const { server } = await open(['a b c']);
    const answer = await fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...good, stream: true }),
    });
    let pieces = 0;
    for await (const _ of answer.body ?? []) pieces++;
    expect(pieces).toBeGreaterThan(3);
  });
});
