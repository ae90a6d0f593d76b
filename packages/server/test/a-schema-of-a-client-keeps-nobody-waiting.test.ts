// The promise: a JSON Schema that comes with a request is refused when it is too large, leads nowhere, or has a pattern that may
// take for ever; everything else in it is taken. Nobody waits for it.

import { expect, test } from 'vitest';
import { fuzzHouse } from './support/fuzz-house.ts';

const ask = async (schema: unknown) => {
  const { app } = fuzzHouse();
  const startedAt = performance.now();
  const body = JSON.stringify({ text: 'Hello', format: 'json', schema });
  const headers = { 'content-type': 'application/json' };
  const response = await app.request('/v1/report', { method: 'POST', headers, body });
  const { error } = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, message: error?.message ?? '', tookMs: performance.now() - startedAt };
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

function nested(levels: number): object {
  return levels === 0 ? {} : { not: nested(levels - 1) };
}
