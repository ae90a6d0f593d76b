// The promise: whatever goes wrong is told in OpenAI's shape, with a status that its API has, and whether to try again.

import type { Agent, ErrorCode, FailureClass, OutputContract } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { hashOf, Keys } from '../src/index.ts';
import { failuresByClass } from './contract/failures.ts';
import { agentOf, call, lookUp } from './contract/people.ts';
import { ask, openaiApp, readRefusal } from './support/openai-app.ts';

type Told = readonly [status: number, type: string, code: string | null, retry: 'true' | 'false'];

const server = (status: number, retry: Told[3] = 'false'): Told => [status, 'server_error', null, retry];

/** What is wrong with our own providers is ours: a client would mend its key for nothing. */
const told: Readonly<Record<Exclude<FailureClass, 'cancelled'>, Told>> = {
  usage: [400, 'invalid_request_error', null, 'false'],
  budget: [429, 'insufficient_quota', 'insufficient_quota', 'false'],
  config: server(500),
  bug: server(500),
  auth: server(502),
  invalid_output: server(502),
  model: server(502, 'true'),
  network: server(502, 'true'),
  tool: server(502),
  quota: server(503),
  rate_limit: server(503, 'true'),
  timeout: server(504, 'true'),
};

const json: OutputContract = { format: 'json', schema: { type: 'object', required: ['ok'] } };
const input = { model: 'fails', messages: [{ role: 'user', content: '{}' }] };

test.each(Object.entries(told))('%s', async (kind, [status, type, code, retry]) => {
  const plant = failuresByClass[kind as keyof typeof failuresByClass];
  const refused = await openaiApp([plant()]).refused(input);
  const { error, headers } = refused;
  expect([refused.status, error.type, error.code, headers.get('x-should-retry')]).toEqual([status, type, code, retry]);
  expect(headers.has('retry-after')).toBe(status === 503);
  expect(error).toMatchObject({ param: null, ai_agent: { class: kind, session_id: 's1' } });
  expect(error.message.endsWith(` ${error.ai_agent.remedy}`)).toBe(true);
  expect(headers.get('x-ai-agent-session')).toBe('s1');
  expect(headers.get('x-request-id')).toBe('s1');
});

test.each(Object.entries(told))(
  '%s in the middle of a stream: the same, called a server’s only where asking again may help, and nothing after it',
  async (kind, expected) => {
    const plant = failuresByClass[kind as keyof typeof failuresByClass];
    const events = await openaiApp([plant()]).stream(input);
    const [, kindOfError, code, retry] = expected;
    const type = kindOfError === 'server_error' && retry === 'false' ? 'invalid_request_error' : kindOfError;
    expect(events.at(-1)).toMatchObject({
      error: { type, code, param: null, ai_agent: { class: kind, session_id: 's1' } },
    });
    expect(events).not.toContain('[DONE]');
    expect(events.slice(0, -1).every((event) => event.choices[0]?.finish_reason === null)).toBe(true);
  },
);

/** Thinks aloud, so that a stream has begun, and fails then. */
const late = (code: ErrorCode) =>
  agentOf('fails', [{ ...call('look_up', {}), reasoning: 'Hm.' }, { fail: { code } }], {
    tools: [lookUp],
    limits: { maxRetries: 1 },
  });

test.each<readonly [keyof typeof told, Agent]>([
  ['auth', late('model-auth')],
  ['rate_limit', late('model-rate-limit')],
  ['timeout', late('model-timeout')],
  ['network', late('model-network')],
  ['model', late('model-unavailable')],
  ['invalid_output', agentOf('fails', () => ({ text: 'No data.', reasoning: 'Hm.' }), { output: json })],
])('%s in the middle of a stream: an error is the last event, and nothing is done', async (kind, agent) => {
  const events = await openaiApp([agent]).stream(input);
  const [, kindOfError, code, retry] = told[kind];
  const type = retry === 'false' ? 'invalid_request_error' : kindOfError;
  const error = { type, code, param: null, ai_agent: { class: kind, session_id: 's1' } };
  expect(events.at(-1)).toMatchObject({ error });
  expect(events).not.toContain('[DONE]');
  expect(deltasIn(events).join('')).toMatch(/^Hm\./);
  expect(events.slice(0, -1).every((event) => event.choices[0]?.finish_reason === null)).toBe(true);
});

type Events = Awaited<ReturnType<ReturnType<typeof openaiApp>['stream']>>;

function deltasIn(events: Events): readonly string[] {
  return events.flatMap(({ choices = [] }) => choices[0]?.delta.reasoning_content ?? []);
}

test('a key that is none: 401, before anything is read', async () => {
  const keys = new Keys({ one: { hash: hashOf('k') } }, fakePorts().clock);
  const app = openaiApp([agentOf('echo', () => 'Yes.')], { door: { keys } });
  for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
    const refused = await app.refused('{', headers);
    expect([refused.status, refused.error.type, refused.error.code]).toEqual([
      401,
      'invalid_request_error',
      'invalid_api_key',
    ]);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  }
});

test('a model that the key may not use: 403', async () => {
  const keys = new Keys({ one: { hash: hashOf('k'), agents: ['other'] } }, fakePorts().clock);
  const app = openaiApp([agentOf('echo', () => 'Yes.')], { door: { keys } });
  const { status, error } = await app.refused(ask('echo'), { authorization: 'Bearer k' });
  expect([status, error.param, error.code]).toEqual([403, 'model', 'model_not_found']);
});

test('a key that asks too often, or has spent what it had: 429, each with its code, and when to come back', async () => {
  const keys = new Keys(
    {
      fast: { hash: hashOf('fast'), requestsPerMinute: 1 },
      poor: { hash: hashOf('poor'), allowance: { tokens: 1, per: 'day' } },
    },
    fakePorts().clock,
  );
  const app = openaiApp([agentOf('echo', () => 'Yes.')], { door: { keys } });
  const told: unknown[] = [];
  for (const key of ['fast', 'poor']) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await app.app.request('/v1/chat/completions', { method: 'POST', headers, body: JSON.stringify(ask('echo')) });
    const { status, error, headers: sent } = await app.refused(ask('echo'), headers);
    told.push([status, error.type, error.code, sent.get('x-should-retry'), Number(sent.get('retry-after')) > 0]);
  }
  expect(told).toEqual([
    [429, 'requests', 'rate_limit_exceeded', 'true', true],
    [429, 'insufficient_quota', 'insufficient_quota', 'true', true],
  ]);
});

test('no place: 503, and when to come back', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = agentOf('slow', () => ({ text: 'At last.', until: gate.promise }));
  const app = openaiApp([slow], { places: { openai: { running: 1, waiting: 0 } } });
  const first = app.complete(ask('slow'));
  await expect.poll(() => app.hall.running).toBe(1);
  const { status, error, headers } = await app.refused(ask('slow'));
  expect([status, error.type, headers.get('x-should-retry')]).toEqual([503, 'server_error', 'true']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  gate.resolve();
  expect((await first).choices[0].message.content).toBe('At last.');
});

test.each(['/v1/chat', '/v1/completions', '/v1/chat/completions/x/y'])('%s is no address', async (path) => {
  const { app } = openaiApp([agentOf('echo', ['a'])]);
  const { status, error } = await readRefusal(await app.request(path, { method: 'POST', body: '{}' }));
  expect([status, error.type, error.code]).toEqual([404, 'invalid_request_error', 'unknown_url']);
});
