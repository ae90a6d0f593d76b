// The promise: whatever goes wrong, a client of Anthropic's API is told in the shape and with the status that it knows.

import { AgentError, catalogue, type ErrorCode, toFailure } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { toAnthropicError } from '../src/headends/anthropic/anthropic-error.ts';
import { hashOf, Keys } from '../src/index.ts';
import { remedyOf } from '../src/talk/remedy-of.ts';
import { agentOf } from './contract/people.ts';
import { anthropicApp, refusalIn, version } from './support/anthropic-app.ts';
import { shapeFaults } from './support/anthropic-schemas.ts';

const asks = { messages: [{ role: 'user', content: 'Hello?' }] };

describe('statuses are those that the API has', () => {
  const known: readonly (readonly [ErrorCode, number, string])[] = [
    ['request-invalid', 400, 'invalid_request_error'],
    ['key-refused', 401, 'authentication_error'],
    ['budget-exhausted', 402, 'billing_error'],
    ['agent-forbidden', 403, 'permission_error'],
    ['agent-unknown', 404, 'not_found_error'],
    ['method-wrong', 405, 'invalid_request_error'],
    ['question-unknown', 409, 'conflict_error'],
    ['request-too-large', 413, 'request_too_large'],
    ['too-many-requests', 429, 'rate_limit_error'],
    ['allowance-spent', 429, 'rate_limit_error'],
    ['internal', 500, 'api_error'],
    // What is wrong with our own key is no affair of the client's.
    ['model-auth', 500, 'api_error'],
    ['model-failed', 500, 'api_error'],
    ['model-quota', 500, 'api_error'],
    ['model-timeout', 504, 'timeout_error'],
    ['server-full', 529, 'overloaded_error'],
    ['server-stopping', 529, 'overloaded_error'],
    ['model-rate-limit', 529, 'overloaded_error'],
  ];
  test.each(known)('%s is %i %s', async (code, status, type) => {
    const failure = toFailure(new AgentError(code, 'Something happened.'));
    const response = toAnthropicError(failure, { sessionId: 's7' });
    expect(response.headers.get('x-should-retry')).toBe(String(failure.retryable));
    expect(response.headers.get('request-id')).toBe('s7');
    const body = await response.json();
    expect(body).toEqual({
      type: 'error',
      error: {
        type,
        message: `Something happened. ${remedyOf(failure)}`,
        ai_agent: {
          class: failure.class,
          code,
          remedy: remedyOf(failure),
          retryable: failure.retryable,
          session_id: 's7',
        },
      },
      request_id: 's7',
    });
    expect(response.status).toBe(status);
  });

  test('every code has a type, and one that may be tried again says when', async () => {
    for (const code of Object.keys(catalogue) as ErrorCode[]) {
      const failure = toFailure(new AgentError(code, 'It was so.'));
      const response = toAnthropicError(failure);
      expect(shapeFaults('error', await response.json()), code).toEqual([]);
      if (response.status === 429 || response.status === 529)
        expect(Number(response.headers.get('retry-after')), code).toBeGreaterThan(0);
    }
  });
});

test('a model that nobody serves is not found, and the nearest is named', async () => {
  const app = anthropicApp([agentOf('teller', ['Hi.'])]);
  const [status, type, words] = await app.refusal({ ...asks, model: 'tellr' });
  expect([status, type]).toEqual([404, 'not_found_error']);
  expect(words).toContain('Did you mean teller?');
});

describe('keys', () => {
  const keys = () =>
    new Keys(
      { one: { hash: hashOf('right'), agents: ['teller'] } },
      { now: () => 0, monotonicMs: () => 0, after: () => () => {} },
    );
  const app = () => anthropicApp([agentOf('teller', ['Hi.']), agentOf('other', ['Hi.'])], { app: { keys: keys() } });

  test('without one, and with a wrong one, it is an authentication error', async () => {
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }]) {
      const response = await app().post(asks, headers);
      expect(response.headers.get('x-should-retry')).toBe('false');
      expect((await refusalIn(response)).slice(0, 2)).toEqual([401, 'authentication_error']);
    }
  });

  test('x-api-key and a bearer token both open the door', async () => {
    for (const headers of [{ 'x-api-key': 'right' }, { authorization: 'Bearer right' }]) {
      const response = await app().request('/v1/models', { headers: { ...version, ...headers } });
      expect(response.status).toBe(200);
      const [status, type] = await refusalIn(await app().post({ ...asks, model: 'other' }, headers));
      expect([status, type]).toEqual([403, 'permission_error']);
    }
  });
});

test('another method is told so, with those that are taken', async () => {
  const app = anthropicApp([agentOf('teller', ['Hi.'])]);
  for (const [path, allow, method] of [
    ['/v1/messages', 'POST', 'GET'],
    ['/v1/messages?beta=true', 'POST', 'DELETE'],
    ['/v1/messages/count_tokens', 'POST', 'PUT'],
    ['/v1/models', 'GET, HEAD', 'POST'],
    ['/v1/models/teller', 'GET, HEAD', 'DELETE'],
  ] as const) {
    const response = await app.request(path, { method, headers: version });
    expect(response.headers.get('allow'), path).toBe(allow);
    expect((await refusalIn(response)).slice(0, 2), path).toEqual([405, 'invalid_request_error']);
  }
});

test('what lies below messages and is not there is not found', async () => {
  const response = await anthropicApp([]).request('/v1/messages/batches', { method: 'POST', headers: version });
  expect((await refusalIn(response)).slice(0, 2)).toEqual([404, 'not_found_error']);
});

test('a body that is too large, none at all, or no JSON', async () => {
  const app = anthropicApp([agentOf('teller', ['Hi.'])], { headend: { maxBodyBytes: 200 } });
  const large = await app.refusal({ messages: [{ role: 'user', content: 'x'.repeat(300) }] });
  expect(large.slice(0, 2)).toEqual([413, 'request_too_large']);
  for (const body of ['', '{', '[]', '"hello"', '{"model":1}']) {
    const response = await app.request('/v1/messages', { method: 'POST', headers: version, body });
    expect((await refusalIn(response)).slice(0, 2), body).toEqual([400, 'invalid_request_error']);
  }
});

test('nothing of the inside is told', async () => {
  const app = anthropicApp([
    agentOf('teller', [{ fail: { code: 'config-invalid', message: 'a secret of the house' } }]),
  ]);
  const [status, type, words] = await app.refusal(asks);
  expect([status, type]).toEqual([500, 'api_error']);
  expect(words).not.toContain('secret');
});

test('a run that fails tells the class of its failure, and whether to try again', async () => {
  const app = anthropicApp([agentOf('ill', () => ({ fail: { code: 'model-auth', message: 'No such key.' } }))]);
  const response = await app.post(asks);
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([500, 'false']);
  expect(await response.json()).toMatchObject({
    error: { type: 'api_error', ai_agent: { class: 'auth', code: 'model-auth', session_id: 's1' } },
    request_id: 's1',
  });
});
