// The promise: a JSON Schema that comes with a request is refused when it is too large, leads nowhere, or has a pattern that may
// take for ever; everything else in it is taken. Nobody waits for it.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { fuzzHouse } from './support/fuzz-house.ts';
import { restApp } from './support/rest-app.ts';

/** What this thread has worked: others may need the machine meanwhile. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const ask = async (schema: unknown) => {
  const { app } = fuzzHouse();
  const startedAt = workedMs();
  const body = JSON.stringify({ text: 'Hello', format: 'json', schema });
  const headers = { 'content-type': 'application/json' };
  const response = await app.request('/v1/report', { method: 'POST', headers, body });
  const { error } = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, message: error?.message ?? '', tookMs: workedMs() - startedAt };
};
const withPattern = (pattern: string) => ({
  type: 'object',
  properties: { x: { type: ['number', 'string'], pattern } },
});

test.each([
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^(\\w+\\s?)*$',
  '(x+x+)+y',
  '^x(a+)+$',
  '^prefix-(a+)+$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$',
  '^(?=(a+)+$)a',
  'a*a*a*a*a*b',
  '^(\\d+,?)+$',
])('%s is refused', async (pattern) => {
  const { status, message, tookMs } = await ask(withPattern(pattern));
  expect([status, message]).toEqual([400, `A pattern of the schema may take too long: ${pattern}`]);
  expect(tookMs).toBeLessThan(5_000);
});

test.each([
  '^[A-Z]{2}\\d{4}$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$',
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  '^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$',
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$',
  '^\\p{L}+$',
])('%s is taken', async (pattern) => {
  expect(await ask(withPattern(pattern))).toMatchObject({ status: 200 });
});

test('patterns of property names are patterns', async () => {
  expect(await ask({ patternProperties: { '^(a+)+$': {} } })).toMatchObject({ status: 400 });
});

test.each<[string, unknown, RegExp]>([
  ['too long', { description: 'x'.repeat(33_000) }, /letters long; at most 32768/],
  ['too deep', nested(70), /more than 64 levels/],
  [
    'full of patterns',
    { anyOf: Array.from({ length: 65 }, (_, i) => ({ pattern: `a${i}` })) },
    /more than 64 patterns/,
  ],
  ['without an end', { $ref: '#' }, /leads back to itself without end/],
  ['without an end further in', { allOf: [{ anyOf: [{ $ref: '#' }] }] }, /leads back to itself without end/],
])('one that is %s', async (_, schema, message) => {
  const reply = await ask(schema);
  expect([reply.status, message.test(reply.message)]).toEqual([400, true]);
});

test('one that leads back to itself, and comes to an end', async () => {
  expect(await ask({ properties: { x: {}, below: { $ref: '#' } } })).toMatchObject({ status: 200 });
});

/** Each of them is twice the one below it. */
const doubling = {
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => {
      const below = { $ref: `#/$defs/d${i + 1}` };
      return [`d${i}`, i === 39 ? { type: 'object' } : { allOf: [below, below] }];
    }),
  ),
  $ref: '#/$defs/d0',
};

test('one that doubles what is to be done, again and again', async () => {
  const { status, message, tookMs } = await ask(doubling);
  expect([status, message]).toEqual([400, expect.stringContaining('without end')]);
  expect(tookMs).toBeLessThan(5_000);
});

test('one that takes for ever only with the answer that it gets', async () => {
  const below = { properties: { x: { $ref: '#' } } };
  const schema = { type: 'object', anyOf: Array.from({ length: 50 }, () => ({ ...below, required: ['y'] })) };
  const text = `${'{"x":'.repeat(30)}1${'}'.repeat(30)}`;
  const agent = agentOf('report', () => text, { limits: { maxRetries: 1, maxTurns: 2 } });
  const startedAt = workedMs();
  const { post } = restApp([agent]);
  const body = JSON.stringify({ text: 'Hello', format: 'json', schema });
  const response = await post('/v1/report', body, 'application/json');
  expect(response.headers.get('x-ai-agent-status')).not.toBe('completed');
  expect(workedMs() - startedAt).toBeLessThan(10_000);
});

const fields = Array.from({ length: 550 }, (_, i) => [`p${i}`, { type: 'string' }]);
const large = { type: 'object', properties: Object.fromEntries(fields) };

test.each([
  ['refers to something large many times', { $defs: { large }, anyOf: Array(700).fill({ $ref: '#/$defs/large' }) }],
  ['has too many ways to be right', { oneOf: Array.from({ length: 1_500 }, (_, i) => ({ const: i })) }],
])('one that %s is taken soon, or refused soon, and the next is read as ever', async (_, schema) => {
  const { status, tookMs } = await ask(schema);
  // Accepted, the report of the agent may still not satisfy it.
  expect([200, 400, 502]).toContain(status);
  expect(tookMs).toBeLessThan(5_000);
  expect(await ask({ $id: 'https://a.example/one', properties: { x: {} } })).toMatchObject({ status: 200 });
});

test('one whose patterns take a while each', async () => {
  const patterns = Array.from({ length: 64 }, (_, i) => ({ pattern: `.*x${i}$` }));
  const { status, tookMs } = await ask({ anyOf: patterns });
  // Refused if they took too long on this machine.
  expect([200, 400]).toContain(status);
  expect(tookMs).toBeLessThan(2_000);
});

test.each([
  ['a pattern', { type: 'string', pattern: '^(a+)+$' }, 400],
  ['references', doubling, 409],
])('the form of a question, with %s that a client had it ask with', async (_, schema, status) => {
  const script = (_request: unknown, call: number) =>
    call === 1 ? { calls: [{ name: 'ask_user', input: { question: 'Which?', schema } }] } : 'Done.';
  const { get, post } = restApp([agentOf('asks', script, { ask: 'caller' })]);
  const startedAt = workedMs();
  const asked = await get('/v1/asks?q=a');
  const address = `/v1/sessions/${asked.headers.get('x-ai-agent-session')}/answer`;
  const answered = await post(address, JSON.stringify({ answer: `${'a'.repeat(60)}!` }), 'application/json');
  expect([asked.status, answered.status]).toEqual([200, status]);
  expect(workedMs() - startedAt).toBeLessThan(5_000);
});

function nested(levels: number): object {
  return levels === 0 ? {} : { not: nested(levels - 1) };
}
