// A server may answer a call before the person has answered the server: then the call is over.

import type { ToolContext } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { Calls } from '../src/mcp/calls.ts';
import { toElicit } from '../src/mcp/elicitation.ts';
import { never } from './support/mcp.ts';

const question = { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } };

/** Whoever is asked says nothing. */
const silent = () =>
  ({ signal: never(), ask: () => new Promise(() => {}) }) as unknown as Parameters<Calls['during']>[0] & ToolContext;

test('a call alone', { timeout: 2_000 }, async () => {
  const calls = new Calls();
  const elicit = toElicit('s', calls);
  let answer: unknown;
  const call = calls.during(silent(), async () => {
    answer = elicit(question, never());
    return 'done';
  });
  await expect(call).resolves.toBe('done');
  await expect(answer).resolves.toEqual({ action: 'cancel' });
});

test('a call beside another, whose question it may be', { timeout: 2_000 }, async () => {
  const calls = new Calls();
  const elicit = toElicit('s', calls);
  const end = Promise.withResolvers<string>();
  const other = calls.during(silent(), () => end.promise);
  let isOver = false;
  const call = calls.during(silent(), async () => {
    void elicit(question, never());
    return 'done';
  });
  void call.then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isOver).toBe(false);
  end.resolve('other');
  await expect(Promise.all([call, other])).resolves.toEqual(['done', 'other']);
});

test('a question that is taken back, while another call goes on', { timeout: 2_000 }, async () => {
  const calls = new Calls();
  const elicit = toElicit('s', calls);
  void calls.during(silent(), () => new Promise(() => {}));
  const back = new AbortController();
  const call = calls.during(silent(), async () => {
    elicit(question, back.signal).catch(() => {});
    return 'done';
  });
  back.abort(new Error('enough'));
  await expect(call).resolves.toBe('done');
});
