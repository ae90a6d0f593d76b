// The keyword `format` of a JSON Schema is enforced: in arguments of tools, in inputs and in reports. Unknown formats are ignored.

import { asTool, defineTool, type JsonObject } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const dialects = [
  undefined,
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
];

const object = (properties: JsonObject, $schema?: string) => ({
  type: 'object',
  properties,
  ...($schema ? { $schema } : {}),
});

/** The reply of a tool to these arguments. */
async function callWith(inputSchema: JsonObject, input: JsonObject): Promise<string> {
  const tool = defineTool({ name: 'tool', inputSchema, execute: () => 'fine' });
  const { outcome } = await walk(
    agent(
      'lead',
      ({ messages }) => {
        const last = messages.at(-1);
        return last?.role === 'tool'
          ? last.content.map(({ text }) => text).join()
          : { calls: [{ name: 'tool', input }] };
      },
      { tools: [tool] },
    ),
  );
  return outcome.text;
}

const table: readonly [format: string, right: string, wrong: string][] = [
  ['date', '2024-02-29', '2023-02-29'],
  ['time', '12:30:00Z', '25:00:00Z'],
  ['date-time', '2024-02-29T12:30:00+02:00', 'yesterday'],
  ['duration', 'P1DT2H', '1 day'],
  ['email', 'a.b@example.org', 'a.b at example.org'],
  ['hostname', 'example.org', 'not a host'],
  ['ipv4', '192.0.2.1', '192.0.2.256'],
  ['ipv6', '2001:db8::1', '2001:db8::g'],
  ['uri', 'https://example.org/a?b#c', 'example.org'],
  ['uri-reference', '/a/b', 'a b'],
  ['uri-template', '/a/{b}', '/a/{b'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123'],
  ['regex', '^a+$', '(a'],
  ['json-pointer', '/a/0', 'a/0'],
  ['relative-json-pointer', '1/a', '/a'],
];

describe.each(table)('%s', (format, right, wrong) => {
  test.each(dialects)('in dialect %s', async ($schema) => {
    const schema = object({ field: { type: 'string', format } }, $schema);
    expect(await callWith(schema, { field: right })).toBe('fine');
    const refused = await callWith(schema, { field: wrong });
    expect(refused).toContain(`The arguments of tool do not fit: "field" must match format "${format}".`);
  });
});

test.each(['colour', 'iri', 'idn-email', 'url', 'binary'])('the format %s is ignored', async (format) => {
  expect(await callWith(object({ field: { type: 'string', format } }), { field: 'any (thing' })).toBe('fine');
});

test('a schema itself is held to no format: its references and ids may be as people write them', async () => {
  const $defs = { 'List<Item>': { type: 'string', format: 'date' } };
  const schema = { $id: 'my schema', ...object({ field: { $ref: '#/$defs/List<Item>' } }), $defs };
  expect(await callWith(schema, { field: '2024-02-29' })).toBe('fine');
  expect(await callWith(schema, { field: 'soon' })).toContain('must match format "date"');
});

test('in what a sub-agent is asked, and in a report, which is sent back with the reason', async () => {
  const day = { ...object({ day: { type: 'string', format: 'date' } }), required: ['day'] };
  const child = agent('child', ['{"day":"soon"}', '{"day":"2024-02-29"}'], {
    input: { format: 'json', schema: day },
    output: { format: 'json', schema: day },
  });
  const ask = (value: string) => ({ calls: [{ name: 'agent__child', input: { reason: 'r', day: value } }] });
  const lead = agent('lead', [ask('tomorrow'), ask('2024-02-28'), 'done'], { tools: [asTool(child)] });
  const { outcome, events } = await walk(lead);
  expect(outcome.status).toBe('completed');
  const results = events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
  expect(results[0]).toMatchObject({ status: 'refused', failure: { code: 'tool-arguments-invalid' } });
  expect(results[1]).toMatchObject({ status: 'ok', value: { day: '2024-02-29' } });
  expect(JSON.stringify(child.model.requests[1]?.messages.at(-1))).toContain('must match format');
});

const hostile = [
  'a',
  '-',
  '.',
  ':',
  'a-',
  'a.',
  'a@',
  '/',
  '%41',
  '1',
  '1.',
  '{a}',
  '{a,',
  '~0',
  '[',
  '::',
  '1Y',
  '(',
  '[a',
  '\n',
];
const starts = ['', 'http://', 'a@', 'P', '/', '{', 'http://[', '2020-01-01T00:00:00.'];

test.each(table)('a long hostile text as %s is judged at once', async (format) => {
  const texts = starts.flatMap((start) => hostile.map((part) => `${start}${part.repeat(10_000)}!`));
  const began = process.cpuUsage();
  const refused = await callWith(object({ field: { type: 'array', items: { type: 'string', format } } }), {
    field: texts,
  });
  const { user } = process.cpuUsage(began);
  expect(refused.length).toBeLessThan(20_000);
  // 160 texts: a pattern that takes the square of their length would take a minute.
  expect(user / 1_000).toBeLessThan(5_000);
});
