// The promise: a run that fails answers with the status of its class, and says when to come back where that is known.

import type { FailureClass } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { anybody } from '../src/index.ts';
import { listSessions } from '../src/own-sessions.ts';
import { failuresByClass } from './contract/failures.ts';
import { agentOf } from './contract/people.ts';
import { refusalOf, restApp } from './support/rest-app.ts';

const statuses: Readonly<Record<Exclude<FailureClass, 'cancelled'>, number>> = {
  usage: 400,
  budget: 402,
  config: 500,
  bug: 500,
  auth: 502,
  invalid_output: 502,
  model: 502,
  network: 502,
  tool: 502,
  quota: 503,
  rate_limit: 503,
  timeout: 504,
};

test.each(Object.entries(statuses))('%s: %i', async (kind, status) => {
  const plant = failuresByClass[kind as keyof typeof failuresByClass];
  const response = await restApp([plant()]).get('/v1/fails?q=%7B%7D');
  expect(response.status).toBe(status);
  expect(response.headers.has('retry-after')).toBe(status === 503);
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  expect(error).toMatchObject({ class: kind, sessionId: 's1' });
  expect(Object.keys(error).filter((key) => !known.includes(key))).toEqual([]);
});

const known = ['class', 'code', 'message', 'remedy', 'retryable', 'retryAfterMs', 'limit', 'sessionId'];

test('what a provider answered with is not what we answer with', async () => {
  const fail = { code: 'model-rate-limit', status: 429, retryAfterMs: 10_001 } as const;
  const busy = agentOf('busy', [{ fail }], { limits: { maxRetries: 1 } });
  const response = await restApp([busy]).get('/v1/busy?q=a');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '11']);
  expect(await response.text()).not.toContain('429');
});

test('a run that is cancelled while somebody waits for it: 409', async () => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const slow = agentOf('slow', () => {
    asked.resolve();
    return { text: 'Never.', until: gate.promise };
  });
  const { get, hall } = restApp([slow]);
  const waiting = get('/v1/slow?q=a');
  await asked.promise;
  hall.live(String((await listSessions(hall, anybody, { limit: 1 })).heads[0]?.id))?.cancel('Nobody needs it.');
  const response = await waiting;
  expect(response.headers.get('x-ai-agent-status')).toBe('cancelled');
  expect((await refusalOf(response)).slice(0, 2)).toEqual([409, 'cancelled']);
  gate.resolve();
});

test('who finds no place is told when to come back', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = agentOf('slow', () => ({ text: 'At last.', until: gate.promise }));
  const { get } = restApp([slow], { places: { rest: { running: 1, waiting: 0 } } });
  const first = get('/v1/slow?q=a');
  const second = await get('/v1/slow?q=b');
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await refusalOf(second)).slice(0, 2)).toEqual([503, 'server-full']);
  gate.resolve();
  expect(await (await first).text()).toBe('At last.');
});
