// The same script gives the same replies and failures in process and over HTTP.

import type { ErrorCode } from '@ai-agent/core';
import { type Step, scriptedModel } from '@ai-agent/core/testing';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
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
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([isAnswered, model.server.inFlight]).toEqual([false, 1]);
    gate.resolve();
    await reply;
    expect(model.server.aborted).toBe(0);
  });
});
