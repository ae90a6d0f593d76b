import { type Agent, asTool, type JsonObject } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

async function promptFor(input: JsonObject, more: Partial<Agent> = {}) {
  const child = agent('child', () => (more.output?.format === 'json' ? '{"a":1}' : 'done'), more);
  const lead = agent('lead', [{ calls: [{ name: 'child', input }] }, 'ok'], { tools: [asTool(child)] });
  const { events } = await walk(lead);
  const request = child.model.requests[0];
  const message = request?.messages[0];
  const prompt = message?.role === 'user' && message.content[0]?.type === 'text' ? message.content[0].text : undefined;
  const start = events.find((event) => event.type === 'session-start' && event.depth === 1);
  return {
    prompt,
    request,
    title: start?.type === 'session-start' ? start.title : undefined,
    result: events.findLast((e) => e.type === 'tool-end')?.result,
  };
}

const reason = 'why not';

describe('an agent without an input schema takes anything', () => {
  test.each<[JsonObject, string]>([
    [{ text: 'Grüße ✓', json: { a: 1 } }, 'Grüße ✓'],
    [{ prompt: 'as prompt' }, 'as prompt'],
    [{ json: { name: 'Zoë' } }, '{"name":"Zoë"}'],
    [{ json: [1, 2] }, '[1,2]'],
    [{ json: 7 }, '7'],
    [{ json: null }, 'null'],
    [{ company: 'Acme', year: 2026 }, '{"company":"Acme","year":2026}'],
    [{}, ''],
  ])('%j becomes %j', async (input, expected) => {
    const { prompt, title } = await promptFor({ ...input, reason });
    expect(prompt).toBe(expected);
    expect(title).toBe(reason);
  });
});

test('the reason never reaches the child, and a call without one is refused', async () => {
  const { request } = await promptFor({ text: 'hi', reason });
  expect(JSON.stringify(request)).not.toContain(reason);
  const { result, request: none } = await promptFor({ text: 'hi' });
  expect(none).toBeUndefined();
  expect(result).toMatchObject({ status: 'refused', failure: { code: 'tool-arguments-invalid' } });
});

const schema = {
  type: 'object',
  properties: { company: { type: 'string' } },
  required: ['company'],
  additionalProperties: false,
};

describe('an agent with an input schema', () => {
  test('takes exactly that, as JSON', async () => {
    const more = { input: { format: 'json', schema } } as const;
    expect((await promptFor({ company: 'Acme', reason }, more)).prompt).toBe('{"company":"Acme"}');
    expect((await promptFor({ company: 1, reason }, more)).result).toMatchObject({ status: 'refused' });
  });

  test('with branches that forbid nothing takes ours beside its own', async () => {
    const either = { ...schema, required: [], anyOf: [{ required: ['company'] }, { required: ['nothing'] }] };
    const more = { input: { format: 'json', schema: either } } as const;
    expect((await promptFor({ company: 'Acme', reason }, more)).prompt).toBe('{"company":"Acme"}');
    expect((await promptFor({ reason }, more)).result).toMatchObject({ status: 'refused' });
  });

  test('keeps its own property named reason: ours is _reason then', async () => {
    const own = { ...schema, properties: { ...schema.properties, reason: { type: 'string' } } };
    const { prompt, title } = await promptFor(
      { company: 'Acme', reason: 'mine', _reason: 'ours' },
      { input: { format: 'json', schema: own } },
    );
    expect(prompt).toBe('{"company":"Acme","reason":"mine"}');
    expect(title).toBe('ours');
  });

  test.each([
    ['an array', { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } }, [1, 2]],
    ['a choice', { oneOf: [schema, { type: 'string' }] }, { company: 'Acme' }],
    ['a string', { type: 'string', minLength: 1 }, 'text'],
    [
      'a tree',
      { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false },
      { next: { next: {} } },
    ],
    [
      'named',
      {
        $id: 'https://example.com/named',
        ...schema,
        properties: { company: { $ref: '#/$defs/name' } },
        $defs: { name: { type: 'string' } },
      },
      { company: 'Acme' },
    ],
  ])('that is %s goes under input', async (_, schema, value) => {
    const { prompt } = await promptFor({ input: value as never, reason }, { input: { format: 'json', schema } });
    expect(prompt).toBe(JSON.stringify(value));
    const wrong = await promptFor({ input: [{}], reason }, { input: { format: 'json', schema } });
    expect(wrong.result).toMatchObject({ status: 'refused' });
  });
});

test('an agent that takes JSON without a schema takes any, and nothing else', async () => {
  const more = { input: { format: 'json' } } as const;
  expect((await promptFor({ json: [1], reason }, more)).prompt).toBe('[1]');
  expect((await promptFor({ text: 'words', reason }, more)).result).toMatchObject({ status: 'refused' });
});

describe('format chooses the output, and is removed', () => {
  test('markdown from a text agent', async () => {
    const { request } = await promptFor({ text: 'hi', format: 'markdown', reason });
    expect(request?.output).toEqual({ format: 'markdown' });
    expect(request?.system).toContain('Markdown');
    expect(JSON.stringify(request?.messages)).not.toContain('markdown');
  });

  test('text from an agent with a JSON contract, which otherwise keeps its schema', async () => {
    const more = { output: { format: 'json', schema: { type: 'object' } } } as const;
    expect((await promptFor({ text: 'hi', format: 'text', reason }, more)).request?.output).toEqual({ format: 'text' });
    expect((await promptFor({ text: 'hi', format: 'json', reason }, more)).request?.output).toEqual(more.output);
  });
});
