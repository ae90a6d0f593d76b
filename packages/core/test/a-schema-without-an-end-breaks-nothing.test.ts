// The promise: a schema that leads back to itself without end is refused when it is checked, and a value that is nested deeper than
// anybody can look is a value that does not fit: neither is a defect.

import { type Agent, ask, checkSchema } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';

describe('a schema', () => {
  test.each([
    [{ $ref: '#' }],
    [{ allOf: [{ $ref: '#' }] }],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
  ])('%j never ends', (schema) => {
    expect(() => checkSchema(schema, 'It')).toThrow(
      'It is not a valid JSON Schema: it is nested too deeply, or leads back to itself',
    );
  });

  test('that leads back to itself on the way down ends with the value', () => {
    expect(checkSchema({ properties: { below: { $ref: '#' } } }, 'It')).toBeUndefined();
  });
});

test('a value that nobody can look through does not fit', async () => {
  const schema = { type: 'object', properties: { a: { $ref: '#' } } };
  const model = scriptedModel(() => 'Never said.');
  const agent: Agent = { name: 'deep', instructions: 'Read.', model, input: { format: 'json', schema } };
  const levels = 100_000;
  const outcome = await ask(agent, `${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`, { ports: fakePorts() });
  expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'usage', code: 'session-input-invalid' } });
  expect(model.requests).toEqual([]);
});
