import { defineTool } from '@ai-agent/core';
import type { ScriptedCall } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const executed: unknown[] = [];
const lookUp = defineTool({
  name: 'shop__look_up',
  identity: { namespace: 'shop', tool: 'look_up' },
  description: 'Looks up an article',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'integer' }, size: { enum: ['s', 'm'] } },
    required: ['id'],
    additionalProperties: false,
  },
  execute: (args) => {
    executed.push(args);
    return 'found';
  },
});

async function resultOf(call: ScriptedCall) {
  executed.length = 0;
  const clerk = agent('clerk', [{ calls: [call] }, 'sorry'], { tools: [lookUp] });
  const { outcome, events } = await walk(clerk);
  expect(outcome.status).toBe('completed');
  const end = events.find((event) => event.type === 'tool-end');
  const said = clerk.model.requests[1]?.messages.at(-1);
  return { result: end?.result, said: said?.role === 'tool' ? said.content[0] : undefined };
}

describe('the model reads what was wrong and what would be right', () => {
  test.each([
    [{ name: 'buy' }, 'There is no tool "buy". Offered are: shop__look_up.'],
    [{ name: 'shop__look_up', input: '{"id": 1' }, 'not valid JSON'],
    [{ name: 'shop__look_up', input: '[1]' }, 'must be a JSON object, not an array'],
    [{ name: 'shop__look_up', input: {} }, 'lacks "id"'],
    [{ name: 'shop__look_up', input: { id: 'x' } }, '"id" must be integer'],
    [{ name: 'shop__look_up', input: { id: 1, size: 'l' } }, '"size" must be one of ["s","m"]'],
    [{ name: 'shop__look_up', input: { id: 1, colour: 'red' } }, 'has "colour", which is not allowed'],
  ])('%j', async (call, reason) => {
    const { result, said } = await resultOf(call);
    expect(executed).toEqual([]);
    expect(result).toMatchObject({ status: 'refused', failure: { class: 'tool' } });
    expect(said).toMatchObject({ isError: true });
    expect(said?.text).toContain(reason);
    expect(said?.text).toContain('What to do:');
  });
});

test('a tool is found without the prefix of its namespace, and with it', async () => {
  expect((await resultOf({ name: 'look_up', input: { id: 1 } })).result).toMatchObject({ status: 'ok' });
  expect((await resultOf({ name: 'other__look_up', input: { id: 1 } })).result).toMatchObject({ status: 'refused' });
});

test('complaints are bounded', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`extra${i}`, 1]));
  const { said } = await resultOf({ name: 'shop__look_up', input: { id: 1, ...many } });
  expect(said?.text.length).toBeLessThan(2000);
  expect(said?.text).toContain('and 490 more');
});

test.each([
  [42],
  [undefined],
  [{ type: 'failure' }],
  [{ type: 'failure', failure: 'boom' }],
  [{ type: 'text' }],
  [{ type: 'text', value: {} }],
  [{ type: 'json' }],
  [{ type: 'json', value: () => 1 }],
  [{ type: 'json', value: 1n }],
])('an answer that is not of the contract is the tool’s failure, not a crash (%#)', async (answer) => {
  const odd = { ...lookUp, execute: () => answer as never };
  const { events, outcome } = await walk(
    agent('clerk', [{ calls: [{ name: 'shop__look_up', input: { id: 1 } }] }, 'ok'], { tools: [odd] }),
  );
  expect(outcome.status).toBe('completed');
  expect(events.find((event) => event.type === 'tool-end')?.result).toMatchObject({
    status: 'failed',
    failure: { class: 'tool', message: expect.stringMatching(/\w/) },
  });
});

test.each([
  ['agent__batch', (deep: string) => `{"calls":[{"id":"1","tool":"t","parameters":{"a":${deep}}}]}`],
  ['agent__task_status', (deep: string) => `{"status":"done","now":"x","done":${deep}}`],
])('what is nested too deep in %s is said back, and ends nothing', async (name, inputWith) => {
  const input = inputWith('['.repeat(50_000) + ']'.repeat(50_000));
  const one = agent('a', [{ calls: [{ name, input: input as never }] }, 'fine'], { batch: true });
  expect((await walk(one)).outcome).toMatchObject({ status: 'completed', text: 'fine' });
});
