import { type JsonSchema, toAgentInput } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';

const order = {
  type: 'object',
  properties: { company: { type: 'string' } },
  required: ['company'],
  additionalProperties: false,
};

test('a schema of an object stays as it is, and what is offered comes beside its own', () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...order, $defs: { n: { type: 'number' } } };
  const input = toAgentInput({ format: 'json', schema }, { offers: ['format', 'schema'] });
  const { properties, ...rest } = input.schema as typeof schema;
  const { properties: own, ...others } = schema;
  expect(rest).toEqual(others);
  expect(Object.keys(properties)).toEqual(['company', 'format', 'schema']);
  expect(properties.company).toBe(own.company);
  expect(input.read({ company: 'Acme', format: 'markdown', schema: { type: 'object' } })).toEqual({
    args: { company: 'Acme' },
    prompt: '{"company":"Acme"}',
    format: 'markdown',
    schema: { type: 'object' },
  });
});

test('what is not offered belongs to the agent', () => {
  const input = toAgentInput({ format: 'json', schema: { type: 'object' } }, { offers: [] });
  expect(input.read({ format: 'A4' })).toEqual({ args: { format: 'A4' }, prompt: '{"format":"A4"}' });
});

test('a name of the agent that answers to questions would have goes under input, where questions are answered', () => {
  const exam: JsonSchema = { type: 'object', properties: { answer: { type: 'string' } } };
  const offering = (offers: readonly ('format' | 'resume')[]) =>
    toAgentInput({ format: 'json', schema: exam }, { offers }).schema;
  expect(offering(['format', 'resume'])).toMatchObject({ properties: { input: exam }, required: ['input'] });
  expect(offering(['format'])).toMatchObject({ properties: exam.properties });
});

test('a name that the agent only requires is its own, too', () => {
  const page = toAgentInput(
    { format: 'json', schema: { type: 'object', required: ['format'] } },
    { offers: ['format'] },
  );
  expect(page.schema).toMatchObject({ properties: { _format: { type: 'string' } }, required: ['format'] });
  expect(page.read({ format: 'A4', _format: 'text' })).toMatchObject({ prompt: '{"format":"A4"}', format: 'text' });
  const cv = toAgentInput({ format: 'json', schema: { type: 'object', required: ['resume'] } }, { offers: ['resume'] });
  expect(cv.schema).toMatchObject({ required: ['input'] });
});

test('who leaves out what it has to be asked asks nothing', () => {
  const list = toAgentInput({ format: 'json', schema: { type: 'array' } }, { offers: [] });
  expect([list.read({}).prompt, toAgentInput({ format: 'json' }, { offers: [] }).read({}).prompt]).toEqual([
    'null',
    'null',
  ]);
});

test('whoever offers may say what is meant by it', () => {
  const format = { type: 'string', enum: ['json'] };
  const { schema } = toAgentInput({ format: 'text' }, { offers: ['format', 'schema'], about: { format } });
  expect(schema.properties).toMatchObject({ format, schema: { type: 'object' } });
});

describe('alternatives at the root', () => {
  const either: JsonSchema = { ...order, required: [], anyOf: [{ required: ['company'] }, { required: ['other'] }] };

  test('stay there', () => {
    expect(toAgentInput({ format: 'json', schema: either }, { offers: ['format'] }).schema).toHaveProperty('anyOf');
  });

  test('go under input for who does not take them', () => {
    const input = toAgentInput({ format: 'json', schema: either }, { offers: ['format'], mayBranch: false });
    expect(input.schema).toMatchObject({ type: 'object', properties: { input: either }, required: ['input'] });
    expect(input.schema).not.toHaveProperty('anyOf');
    expect(input.read({ input: { company: 'Acme' }, format: 'text' }).prompt).toBe('{"company":"Acme"}');
  });
});
