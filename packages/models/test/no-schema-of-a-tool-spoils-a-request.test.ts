// The promise: schemas of older drafts, and unions and references at the root, reach Anthropic and OpenAI as they take them.

import type { JsonSchema } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { anthropic } from './support/wires/anthropic.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { openaiResponses } from './support/wires/openai-responses.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

interface SentTool {
  readonly input_schema?: object;
  readonly parameters?: object;
  readonly function?: { readonly parameters: object };
}

async function sentTo(wire: Wire, inputSchema: JsonSchema): Promise<object | undefined> {
  const { model, requests } = await serveWire(wire, [{ text: 'Hello' }]);
  await model.call(requestOf({ tools: [{ name: 'act', description: 'Acts.', inputSchema }] }), contextOf());
  const [tool] = (requests[0]?.body.tools ?? []) as readonly SentTool[];
  return tool?.input_schema ?? tool?.parameters ?? tool?.function?.parameters;
}

const of = <Properties extends object>(properties: Properties, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const [text, number] = [{ type: 'string' }, { type: 'number' }];

describe.each([
  ['anthropic', anthropic, true],
  ['openai (responses)', openaiResponses, false],
  ['openai (chat)', openaiChat, false],
] as const)('%s', (_, wire, takesPlaces) => {
  const list = (places: readonly object[], items: object, more: object = {}) =>
    takesPlaces ? { type: 'array', prefixItems: places, ...more } : { type: 'array', items };

  test.each([
    ['places', { items: [text, number] }, list([text, number], { anyOf: [text, number] })],
    ['places that are the same', { items: [text, text] }, list([text, text], text)],
    ['places and nothing more', { items: [text], additionalItems: false }, list([text], text, { items: false })],
    [
      'places and more',
      { items: [text], additionalItems: number },
      list([text], { anyOf: [text, number] }, { items: number }),
    ],
    ['places, one of anything', { items: [text, {}] }, list([text, {}], {})],
    ['places in the words of today', { prefixItems: [text, number] }, list([text, number], { anyOf: [text, number] })],
    ['no places', { items: [] }, takesPlaces ? { type: 'array' } : { type: 'array', items: {} }],
    ['what more there may be, of no places', { items: text, additionalItems: false }, { type: 'array', items: text }],
  ])('a list with %s', async (_, said, expected) => {
    expect(await sentTo(wire, of({ list: { type: 'array', ...said } }))).toEqual(of({ list: expected }));
  });

  test.each([
    [{ minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
    [
      { maximum: 9, exclusiveMaximum: true, minimum: 0 },
      { exclusiveMaximum: 9, minimum: 0 },
    ],
    [{ minimum: 0, exclusiveMinimum: false }, { minimum: 0 }],
    [{ exclusiveMaximum: true }, {}],
    [{ exclusiveMinimum: 3 }, { exclusiveMinimum: 3 }],
    [{ required: true }, {}],
  ])('bounds of an older draft: %j', async (said, expected) => {
    const deep = (bounds: object) => of({ deep: { type: 'array', items: of({ n: { ...number, ...bounds } }) } });
    expect(await sentTo(wire, deep(said))).toEqual(deep(expected));
  });

  test('what only looks like a schema stays as it is', async () => {
    const data = { items: [1], exclusiveMinimum: true, required: true };
    const schema = of({ a: { enum: [data], default: data, examples: [data] }, items: text, required: number });
    expect(await sentTo(wire, schema)).toEqual(schema);
  });

  const $defs = {
    A: of({ kind: { const: 'a' }, a: text }, { required: ['kind', 'a'] }),
    B: of({ kind: { const: 'b' }, b: { $ref: '#/$defs/C' } }, { required: ['kind'] }),
    C: number,
  };
  const kind = { anyOf: [{ const: 'a' }, { const: 'b' }] };

  test.each(['anyOf', 'oneOf'])('%s of references names all that there is', async (key) => {
    const schema = { [key]: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }], $defs };
    const properties = { kind, a: text, b: { $ref: '#/$defs/C' } };
    expect(await sentTo(wire, schema)).toEqual(of(properties, { $defs }));
  });

  test('all of several references require what each requires', async () => {
    const schema = { allOf: [{ $ref: '#/$defs/A' }, of({ z: text }, { required: ['z'] })], required: ['a'], $defs };
    const properties = { kind: { const: 'a' }, a: text, z: text };
    expect(await sentTo(wire, schema)).toEqual(of(properties, { required: ['a', 'kind', 'z'], $defs }));
  });

  test.each([
    ['a reference', { $ref: '#/$defs/A', $defs }],
    ['one with a type', { type: 'object', properties: {}, $ref: '#/$defs/A', $defs }],
    ['one to another', { $ref: '#/$defs/D', $defs: { ...$defs, D: { $ref: '#/$defs/A' } } }],
    ['one in a union', { anyOf: [{ allOf: [{ $ref: '#/$defs/A' }] }], required: ['kind', 'a'], $defs }],
  ])('%s at the root is what it leads to', async (_, schema) => {
    const sent = await sentTo(wire, schema);
    expect(sent).toMatchObject({ type: 'object', properties: $defs.A.properties, required: ['kind', 'a'] });
    expect(Object.keys(sent ?? {}).sort()).toEqual(['$defs', 'properties', 'required', 'type']);
  });

  test('what leads to itself ends', async () => {
    const schema = { anyOf: [{ $ref: '#' }, { $ref: '#/$defs/A' }], $defs: { A: { $ref: '#/$defs/A' } } };
    expect(await sentTo(wire, schema)).toMatchObject({ type: 'object', properties: {} });
  });

  test('a reference into what was moved has its target in place of it', async () => {
    const schema = {
      anyOf: [
        of({ a: of({ n: { ...number, minimum: 1, exclusiveMinimum: true } }) }),
        of({ b: { $ref: '#/anyOf/0/properties/a' } }),
      ],
      properties: { pair: { type: 'array', items: [of({ x: number }), { $ref: '#/properties/pair/items/0' }] } },
    };
    const a = of({ n: { ...number, exclusiveMinimum: 1 } });
    const point = of({ x: number });
    const pair = takesPlaces
      ? { type: 'array', prefixItems: [point, point] }
      : { type: 'array', items: { anyOf: [point, point] } };
    expect(await sentTo(wire, schema)).toEqual(of({ a, b: a, pair }));
  });

  test('a reference to nothing says nothing', async () => {
    const schema = of({ a: { $ref: '#/$defs/Gone', description: 'It.' }, b: { $ref: 'https://a.test/b.json' } });
    expect(await sentTo(wire, schema)).toEqual(of({ a: { description: 'It.' }, b: schema.properties.b }));
  });

  test('unions of unions of unions are looked at once', async () => {
    const levels = Array.from({ length: 30 }, (_, i) => [
      `L${i}`,
      { anyOf: Array.from({ length: 20 }, () => ({ $ref: `#/$defs/L${i + 1}` })) },
    ]);
    const $defs = { ...Object.fromEntries(levels), L30: of({ found: text }) };
    expect(await sentTo(wire, { $ref: '#/$defs/L0', $defs })).toMatchObject({ properties: { found: text } });
  });

  test('many into themselves that were moved end as well', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, { $ref: '#/anyOf/0' }]));
    const sent = JSON.stringify(await sentTo(wire, { anyOf: [of(many)] }));
    expect(sent).not.toContain('$ref');
    expect(sent.length).toBeLessThan(5_000_000);
  });

  test('one into itself that was moved ends too', async () => {
    const node = of({ next: { $ref: '#/anyOf/0' } });
    const sent = JSON.stringify(await sentTo(wire, { anyOf: [node] }));
    expect(sent).not.toContain('$ref');
    expect(sent.length).toBeLessThan(5000);
  });
});

test('a report in the words of an older draft is asked for in those of today, or not at all', async () => {
  const formatOf = async (properties: object) => {
    const schema = of(properties, { additionalProperties: false });
    const { model, requests } = await serveWire(anthropic, [{ text: '{}' }]);
    await model.call(requestOf({ output: { format: 'json', schema } }), contextOf());
    return JSON.stringify(requests[0]?.body);
  };
  expect(await formatOf({ a: text })).toContain('json_schema');
  expect(await formatOf({ a: { type: 'array', items: [text, number] } })).not.toContain('json_schema');
});
