// The promise: a field of a form begins with the default of its schema where that fits, and whatever a field is called, its answer is a field of the answer.

import type { JsonObject, Question } from '@ai-agent/core';
import { readAnswer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { readForm, toForm } from '../src/act/form.ts';

const place = {
  about: { session: 's', round: 0, asker: 'U1' },
  thread: { team: 'T1', channel: 'C1', ts: '1.1' },
  messageTs: '1.2',
};
const base = { type: 'question', text: 'What?', to: 'person', handle: 'h', agentName: 'a', sessionId: 's' } as const;
const asking = (schema: JsonObject): Question => ({ ...base, schema });
const ofFields = (properties: JsonObject) => asking({ type: 'object', properties });
const elementsOf = (question: Question) =>
  toForm(question, place).blocks.flatMap((block) => ('element' in block ? [block.element] : []));
const elementOf = (property: JsonObject) => elementsOf(ofFields({ field: property }))[0];

test.each([
  [{ type: 'string', default: 'Friday' }, 'Friday'],
  [{ type: 'string', default: 'a\u200bb' }, 'ab'],
  [{ type: 'string', default: 'x'.repeat(3_000) }, 'x'.repeat(3_000)],
  [{ type: 'number', default: -1.5 }, '-1.5'],
  [{ type: 'integer', default: 0 }, '0'],
  [{ type: 'array', default: [1, 2] }, '[1,2]'],
  [{ default: null }, 'null'],
])('%j', (property, value) => {
  expect(elementOf(property)).toMatchObject({ initial_value: value });
});

test('a text of several lines has room for them', () => {
  expect(elementOf({ type: 'string', default: 'a\nb' })).toMatchObject({ initial_value: 'a\nb', multiline: true });
  expect(elementOf({ type: 'string', default: 'a' })).toMatchObject({ multiline: false });
});

test.each([
  [{ type: 'boolean', default: true }, 'Yes'],
  [{ type: 'boolean', default: false }, 'No'],
  [{ enum: ['small', 'large'], default: 'large' }, 'large'],
  [{ enum: [1, { a: 2 }], default: { a: 2 } }, '{"a":2}'],
])('a choice: %j', (property, text) => {
  expect(elementOf(property)).toMatchObject({ initial_option: { text: { text } } });
});

test.each<JsonObject>([
  { type: 'string' },
  { type: 'string', default: '' },
  { type: 'string', default: 5 },
  { type: 'string', default: 'x'.repeat(3_001) },
  { type: 'number', default: '5' },
  { type: 'number', default: 1e21 },
  { type: 'integer', default: 1.5 },
  { type: 'boolean', default: 'true' },
  { enum: ['small', 'large'], default: 'medium' },
  { type: 'object', default: { a: 'x'.repeat(3_000) } },
])('is left out where it does not fit: %j', (property) => {
  expect(elementOf(property)).not.toHaveProperty('initial_value');
  expect(elementOf(property)).not.toHaveProperty('initial_option');
});

test('several of a few: those that are usual are chosen, all of them or none', () => {
  const items = { enum: ['small', 'large', { a: 1 }] };
  const of = (more: JsonObject) => elementOf({ type: 'array', items, ...more });
  const usual = of({ default: ['small', { a: 1 }], maxItems: 2 });
  expect(usual).toMatchObject({ type: 'multi_static_select', max_selected_items: 2 });
  expect(usual).toMatchObject({ initial_options: [{ text: { text: 'small' } }, { text: { text: '{"a":1}' } }] });
  for (const none of [['small', 'medium'], ['small', 'small'], [], 'small'])
    expect(of({ default: none })).not.toHaveProperty('initial_options');
  for (const maxItems of [0, 1, 1.5])
    expect(of({ default: ['small', 'large'], maxItems })).not.toHaveProperty('max_selected_items');
  expect(elementOf({ type: 'array', items: { type: 'string' } })).toMatchObject({ type: 'plain_text_input' });
});

test('none of several is an answer, unless one is wanted', () => {
  const read = (more: JsonObject) => {
    const tags = { type: 'array', items: { enum: ['a', 'b'] }, ...more };
    const question = asking({ type: 'object', properties: { tags }, required: ['tags'] });
    const view = toForm(question, place);
    const values = { tags: { input: { selected_options: [] } } };
    const optional = view.blocks.map((block) => ('element' in block ? block.optional : undefined)).at(-1);
    return { optional, read: readForm({ ...view, state: { values } })?.read(question) };
  };
  expect(read({})).toEqual({ optional: true, read: { answer: { tags: [] } } });
  expect(read({ minItems: 1 })).toMatchObject({ optional: false });
});

test.each<readonly [JsonObject, string]>([
  [{ type: ['string', 'null'], default: null }, 'plain_text_input'],
  [{ type: ['null', 'integer'] }, 'number_input'],
  [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'static_select'],
  [{ oneOf: [{ type: 'null' }, { enum: ['a', 'b'] }] }, 'static_select'],
  [{ type: ['string', 'null'], enum: ['a', null] }, 'static_select'],
  [{ type: ['array', 'null'], items: { enum: ['a'] } }, 'multi_static_select'],
])('a field that may be null is what it is beside that: %j', (property, type) => {
  expect(elementOf(property)).toMatchObject({ type });
  expect(elementOf(property)).not.toMatchObject({ multiline: true });
  const read = (required: readonly string[]) => {
    const question = asking({ type: 'object', properties: { field: property }, required });
    const view = toForm(question, place);
    return {
      optional: view.blocks.map((block) => ('element' in block ? block.optional : undefined)).at(-1),
      ...readForm({ ...view, state: { values: {} } })?.read(question),
    };
  };
  expect(read([])).toEqual({ optional: true, answer: {} });
  // Where it has to be there, nothing is what may be said.
  expect(read(['field'])).toEqual({ optional: true, answer: { field: null } });
});

test('a field that may be several things, or only null, is JSON', () => {
  for (const property of [
    { type: ['string', 'integer', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    { type: 'null' },
    { enum: [null] },
  ])
    expect(elementOf(property)).toMatchObject(
      'enum' in property ? { type: 'static_select' } : { type: 'plain_text_input', multiline: true },
    );
});

test('what a list would cut is numbered, and stands whole beside it', () => {
  const long = 'Delete the staging database together with all of its backups of the last thirty days';
  const words = [`${long}, and keep production`, `${long}, and\nproduction too`];
  const hintOf = (property: JsonObject) =>
    toForm(ofFields({ field: property }), place).blocks.flatMap((block) => ('hint' in block ? [block.hint?.text] : []));
  const whole = `1. ${words[0]}\n2. ${long}, and production too`;
  for (const property of [{ enum: words }, { type: 'array', items: { enum: words } }]) {
    expect(elementOf(property)).toMatchObject({
      options: [{ text: { text: expect.stringMatching(/^1\. Delete .*…$/) } }, { value: '1' }],
    });
    expect(hintOf({ ...property, description: 'What\nfirst?' })).toEqual([`What first?\n${whole}`]);
    expect(hintOf(property)).toEqual([whole]);
  }
  const [hint = ''] = hintOf({ enum: Array.from({ length: 100 }, (_, index) => `${long} ${index}`) });
  expect(hint.length).toBeLessThanOrEqual(2_000);
  expect(hint).toMatch(/^1\. Delete .*…$/s);
  expect(hintOf({ enum: ['a', 'b'] })).toEqual([]);
});

test('what stands in a field, and its bounds, fit each other', () => {
  const whole = elementOf({ type: 'integer', minimum: 0.5, maximum: 9, default: 0 });
  expect(whole).toMatchObject({ type: 'number_input', max_value: '9' });
  expect(whole).not.toHaveProperty('min_value');
  expect(whole).not.toHaveProperty('initial_value');
  const many = { enum: Array.from({ length: 101 }, (_, index) => index) };
  expect(elementOf({ type: 'array', ...many, items: { enum: ['a'] } })).toMatchObject({ options: [{ value: '0' }] });
});

test('an answer in one field has it too', () => {
  expect(elementsOf(asking({ type: 'string', default: 'Rex' }))).toMatchObject([{ initial_value: 'Rex' }]);
  expect(elementsOf(asking({ type: 'array', default: ['Rex'] }))).toMatchObject([{ initial_value: '["Rex"]' }]);
  expect(elementsOf(asking({ type: 'string', default: ['Rex'] }))[0]).not.toHaveProperty('initial_value');
  expect(elementsOf({ ...base, choices: ['a'] })[0]).not.toHaveProperty('initial_value');
});

test('a field called __proto__ is a field like others', () => {
  const properties = JSON.parse('{"__proto__": {"type": "object"}, "name": {"type": "string"}}') as JsonObject;
  const question = asking({ type: 'object', properties });
  const values = (json: string) =>
    JSON.parse(`{"__proto__": {"input": {"value": ${JSON.stringify(json)}}}, "name": {"input": {"value": "Rex"}}}`);
  const read = (json: string) =>
    readForm({ ...toForm(question, place), state: { values: values(json) } })?.read(question);
  const given = read('{"isAdmin": true}') as { readonly answer: JsonObject };
  expect(Object.keys(given.answer)).toEqual(['__proto__', 'name']);
  expect(Object.getPrototypeOf(given.answer)).toBe(Object.prototype);
  expect(given.answer).not.toHaveProperty('isAdmin');
  expect(JSON.stringify(readAnswer(question, given.answer))).toBe('{"__proto__":{"isAdmin":true},"name":"Rex"}');
  expect(Object.keys((read('{') as { readonly refused: object }).refused)).toEqual(['__proto__']);
});

test('a field that was not filled in is not taken from elsewhere', () => {
  const question = ofFields({ constructor: { type: 'string' }, toString: { type: 'string' } });
  const form = readForm({ ...toForm(question, place), state: { values: {} } });
  expect(form?.read(question)).toEqual({ answer: {} });
});
