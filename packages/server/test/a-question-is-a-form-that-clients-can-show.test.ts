// The promise: whatever form an agent wants its answer in, the question is a form as the protocol knows it, and what is filled in is the answer.

import type { Json, JsonSchema, Question } from '@ai-agent/core';
import { ElicitRequestFormParamsSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { toQuestionForm } from '../src/headends/mcp/question-form.ts';

function formOf(more: Partial<Question>, options: { hasTitles?: boolean; complaint?: string } = {}) {
  const question: Question = {
    type: 'question',
    text: 'Which?',
    to: 'person',
    handle: 'h',
    agentName: 'curious',
    sessionId: 's',
    ...more,
  };
  const made = toQuestionForm(question, { hasTitles: true, ...options });
  // As strict as the clients that read it.
  expect(ElicitRequestFormParamsSchema.safeParse(made.form).error).toBeUndefined();
  const { message, requestedSchema } = made.form;
  return { message, fields: requestedSchema.properties, required: requestedSchema.required, read: made.read };
}

const ofOne = (schema: JsonSchema) => formOf({ schema }).fields;
const inJson = { answer: { type: 'string', title: 'Answer', description: expect.stringContaining('JSON') } };

test('choices are choices', () => {
  const { fields, required, read } = formOf({ choices: ['1999', '2024'] });
  expect(fields).toEqual({ answer: { type: 'string', title: 'Answer', enum: ['1999', '2024'] } });
  expect(required).toEqual(['answer']);
  expect(read({ answer: '1999' })).toBe('1999');
});

test.each<[string, JsonSchema, object]>([
  [
    'a text',
    { type: 'string', minLength: 1, maxLength: 9, default: 'a' },
    { minLength: 1, maxLength: 9, default: 'a' },
  ],
  ['an address', { type: 'string', format: 'email' }, { format: 'email' }],
  ['a number', { type: 'number', minimum: 1, maximum: 2, default: 1.5 }, { minimum: 1, maximum: 2, default: 1.5 }],
  ['a whole number', { type: 'integer' }, { type: 'integer' }],
  ['yes or no', { type: 'boolean', default: true }, { type: 'boolean', default: true }],
  ['one of some', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  [
    'one of some with titles',
    { oneOf: [{ const: 'a', title: 'A' }] },
    { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
  ],
  [
    'several of some',
    { type: 'array', items: { enum: ['a'] }, maxItems: 1 },
    { type: 'array', items: { enum: ['a'] }, maxItems: 1 },
  ],
  [
    'what it is called',
    { type: 'string', title: 'Name', description: 'Yours' },
    { title: 'Name', description: 'Yours' },
  ],
])('%s is a field of its own', (_what, schema, field) => {
  expect(ofOne(schema)).toMatchObject({ answer: field });
  expect(formOf({ schema: { type: 'object', properties: { one: schema } } }).fields).toMatchObject({ one: field });
});

test.each<[string, JsonSchema, string]>([
  ['a pattern', { type: 'string', pattern: '^a' }, 'It must fit: pattern "^a".'],
  [
    'a format of its own',
    { type: 'string', format: 'ipv4', description: 'Where' },
    'Where It must fit: format "ipv4".',
  ],
  ['numbers to choose from', { type: 'integer', enum: [1, 2] }, 'It must fit: enum [1,2].'],
  ['a bound', { type: 'number', exclusiveMinimum: 0 }, 'It must fit: exclusiveMinimum 0.'],
])('%s is said beside the field, and not in words that no client knows', (_what, schema, description) => {
  const { answer } = ofOne(schema);
  expect(answer).toEqual({ type: schema.type, title: 'Answer', description });
});

test.each<[string, JsonSchema]>([
  ['an object in an object', { type: 'object', properties: { one: { type: 'object' } } }],
  ['a list', { type: 'array', items: { type: 'integer' } }],
  ['anything', {}],
  ['several types', { type: ['string', 'null'] }],
  ['one of several shapes', { type: 'string', anyOf: [{ minLength: 3 }, { maxLength: 1 }] }],
  ['fields that depend on each other', { type: 'object', properties: { a: { type: 'string' } }, minProperties: 1 }],
  ['a field that is nowhere', { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] }],
  ['an object of anything', { type: 'object' }],
])('%s is written as JSON, with its schema in the message', (_what, schema) => {
  const { fields, message, read } = formOf({ schema });
  expect(fields).toEqual(inJson);
  expect(message).toContain(JSON.stringify(schema));
  expect(read({ answer: '{"a":1}' })).toBe('{"a":1}');
});

test('before there were titles, choices have names beside them, and several are JSON', () => {
  const titled = { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] };
  expect(formOf({ schema: titled }, { hasTitles: false }).fields).toEqual({
    answer: { type: 'string', title: 'Answer', enum: ['a', 'b'], enumNames: ['A', 'b'] },
  });
  expect(formOf({ schema: { type: 'array', items: { enum: ['a'] } } }, { hasTitles: false }).fields).toEqual(inJson);
});

describe('a call that waits for leave', () => {
  const call = { tool: 'delete_file', args: { path: 'a' } };

  test('is granted, or refused with a reason', () => {
    const { read, required } = formOf({ type: 'approval', call });
    expect(required).toEqual(['approved']);
    expect(read({ approved: true })).toEqual({ isApproved: true, reason: '' });
    expect(read({ approved: false, reason: 'No.' })).toEqual({ isApproved: false, reason: 'No.' });
    expect(read({ reason: 'No.' })).toBeUndefined();
  });

  test('is shown once', () => {
    expect(formOf({ type: 'approval', call }).message).toBe(
      'curious asks: Which?\n\nTool: delete_file\nArguments: {"path":"a"}',
    );
    const text = 'May delete_file be called with {"path":"a"}?';
    expect(formOf({ type: 'approval', call, text }).message).toBe(`curious asks: ${text}`);
  });
});

test('a message has an end, and no half letters; a call that needs leave is shown whole', () => {
  const args = { a: 'x'.repeat(10_000) };
  const { message } = formOf({ text: '😀'.repeat(10_000), type: 'approval', call: { tool: 't', args } });
  expect(message.length).toBeLessThan(14_100);
  expect(message.isWellFormed()).toBe(true);
  expect(message).toContain(`Tool: t\nArguments: ${JSON.stringify(args)}`);
  expect(formOf({ text: '😀'.repeat(10_000) }).message.length).toBeLessThan(4_100);
});

test('what was wrong before stands first', () => {
  expect(formOf({}, { complaint: 'That is no year.' }).message).toBe('That is no year.\n\ncurious asks: Which?');
});

test.each<[string, unknown, Json | undefined]>([
  ['nothing', undefined, undefined],
  ['an empty form', {}, undefined],
  ['no object', ['a'], undefined],
  ['what was left empty', { a: '', b: '' }, { b: '' }],
])('%s that comes back is read as what it is', (_what, content, answer) => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['b'] };
  const { read } = formOf(answer === undefined ? {} : { schema });
  expect(read(content)).toEqual(answer);
});
