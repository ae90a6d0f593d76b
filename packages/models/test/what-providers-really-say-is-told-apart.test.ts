// The promise: the refusals that providers really send have the class that helps: a key, money, a wait, or the request itself.

import type { ErrorCode } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { failureOf, requestOf, ways } from './support/calling.ts';
import { anthropic } from './support/wires/anthropic.ts';
import { chat } from './support/wires/chat.ts';
import { google } from './support/wires/google.ts';
import { openaiResponses } from './support/wires/openai-responses.ts';
import { openrouter } from './support/wires/openrouter.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

const ofGoogle = (code: number, status: string, message: string, ...details: readonly object[]) => ({
  error: { code, message, status, details },
});
const ofAnthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const ofOpenAI = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
});
const ofOpenRouter = (code: number, message: string, metadata?: object) => ({ error: { code, message, metadata } });

const quotaOf = (...quotaIds: readonly string[]) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: quotaIds.map((quotaId) => ({ quotaMetric: 'generate_content_free_tier_requests', quotaId })),
});
const retryIn = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });
const because = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason });

const exceeded = 'You exceeded your current quota, please check your plan and billing details.';
const perMinute = 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier';
const perDay = 'GenerateRequestsPerDayPerProjectPerModel-FreeTier';
const tooLarge = (limit: number, requested: number) =>
  `Request too large for a-model on tokens per min (TPM): Limit ${limit}, Requested ${requested}. Reduce it.`;

const said: readonly (readonly [ErrorCode, Wire, number, object])[] = [
  ['model-auth', google, 400, ofGoogle(400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.')],
  ['model-auth', google, 400, ofGoogle(400, 'INVALID_ARGUMENT', 'Renew it.', because('API_KEY_INVALID'))],
  ['model-auth', google, 403, ofGoogle(403, 'PERMISSION_DENIED', 'Not you.', because('SERVICE_DISABLED'))],
  ['model-rate-limit', google, 429, ofGoogle(429, 'RESOURCE_EXHAUSTED', exceeded, quotaOf(perMinute), retryIn('19s'))],
  ['model-quota', google, 429, ofGoogle(429, 'RESOURCE_EXHAUSTED', `${exceeded}\n* Quota exceeded, limit: 0`)],
  ['model-rate-limit', google, 429, ofGoogle(429, 'RESOURCE_EXHAUSTED', `${exceeded}\n* Quota exceeded, limit: 50`)],
  ['model-quota', google, 429, ofGoogle(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.')],
  ['model-quota', google, 403, ofGoogle(403, 'PERMISSION_DENIED', 'Turn it on.', because('BILLING_DISABLED'))],
  ['model-quota', google, 403, ofGoogle(403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.')],
  [
    'model-quota',
    anthropic,
    400,
    ofAnthropic('invalid_request_error', 'You have reached your specified API usage limits. Access on 2026-12-01.'),
  ],
  ['model-quota', anthropic, 400, ofAnthropic('invalid_request_error', 'Your credit balance is too low.')],
  [
    'model-quota',
    anthropic,
    429,
    ofAnthropic('rate_limit_error', 'Extra usage is required for long context requests.'),
  ],
  ['model-rate-limit', anthropic, 429, ofAnthropic('rate_limit_error', 'It would exceed your limit of 30,000 tokens.')],
  ['model-quota', openrouter, 403, ofOpenRouter(403, 'Key limit exceeded (total limit). Manage it in the settings.')],
  ['model-refusal', openrouter, 403, ofOpenRouter(403, 'No.', { reasons: ['violence'], flagged_input: 'x' })],
  ['model-refusal', openrouter, 403, ofOpenRouter(403, 'No.', { reasons: ['violence'] })],
  ['model-auth', openrouter, 403, ofOpenRouter(403, 'No.', { reasons: [] })],
  ['model-quota', chat, 429, { code: 'exhausted', error: 'Your team has used all available credits.' }],
  ['model-quota', chat, 429, { code: 'exhausted', error: 'Your team has reached its monthly spending limit.' }],
  ['model-quota', chat, 403, { code: 'No permission', error: "Your team doesn't have any credits or licenses yet." }],
  ['model-quota', chat, 429, { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } }],
  ['model-refusal', chat, 400, ofOpenAI('Filtered', 'invalid_request_error', 'content_filter')],
  ['model-request-refused', chat, 413, ofOpenAI(tooLarge(6000, 14_368), 'tokens', 'rate_limit_exceeded')],
  ['model-request-refused', chat, 413, ofOpenAI('Too much', 'tokens', 'rate_limit_exceeded')],
  ['model-request-refused', openaiResponses, 429, ofOpenAI(tooLarge(3, 4), 'tokens', 'rate_limit_exceeded')],
  [
    'model-rate-limit',
    openaiResponses,
    429,
    ofOpenAI('Rate limit reached: Limit 6000, Used 5034, Requested 1443.', 'tokens', 'rate_limit_exceeded'),
  ],
  [
    'model-refusal',
    openaiResponses,
    400,
    ofOpenAI(
      'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
      'invalid_request_error',
      'invalid_prompt',
    ),
  ],
  ['model-request-refused', openaiResponses, 400, ofOpenAI('Bad', 'invalid_request_error', 'invalid_prompt')],
];

describe.each(ways)('asked %s', (_, context) => {
  const refused = async (wire: Wire, status: number, body: object) => {
    const { model } = await serveWire(wire, [
      (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    ]);
    return failureOf(model.call(requestOf(), context()));
  };

  const cases = said.map(([code, wire, status, body]) => ({ code, wire, status, body, label: wire.label }));

  test.each(cases)('$code of $label, $status $body.error', async ({ code, wire, status, body }) => {
    const { error } = body as { readonly error: string | { readonly message: string } };
    const failure = await refused(wire, status, body);
    expect(failure).toMatchObject({ code, status, retryable: code === 'model-rate-limit' });
    expect(failure.message).toContain(typeof error === 'string' ? error : error.message);
  });

  // Gemini says to come back in seconds, and the quota is that of a day: the next model is asked at once, and no other
  // model of the provider, with a quota of its own, has to wait.
  test('the quota of a day is used up, whatever wait is named beside it', async () => {
    const details = [quotaOf(perMinute, perDay), retryIn('19s')];
    const failure = await refused(google, 429, ofGoogle(429, 'RESOURCE_EXHAUSTED', exceeded, ...details));
    expect(failure).toMatchObject({ code: 'model-quota', class: 'quota', retryable: false });
    expect(failure.remedy).toContain('until the quota is renewed');
  });

  test('who asks for more than a minute may have is told to ask for less', async () => {
    const failure = await refused(chat, 429, ofOpenAI(tooLarge(3, 4), 'tokens', 'rate_limit_exceeded'));
    expect(failure.remedy).toMatch(/less at once.*maxOutputTokens/);
  });
});

test('in the middle of a stream it is the same', async () => {
  const sent = ofOpenAI(tooLarge(3, 4), 'tokens', 'rate_limit_exceeded');
  const { model } = await serveWire(chat, [
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(sent)}\n\n`);
    },
  ]);
  const failure = await failureOf(model.call(requestOf(), ways[1][1]()));
  expect(failure.code).toBe('model-request-refused');
  expect(failure.message).toContain(sent.error.message);
});
