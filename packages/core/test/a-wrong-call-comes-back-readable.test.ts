import { defineTool } from '@ai-agent/core';
import type { ScriptedCall } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const executed: unknown[] = [];
const lookUp = defineTool({
  name: 'shop__look_up',
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

test('a tool is found without its prefix, and with one it does not have, when exactly one fits', async () => {
  expect((await resultOf({ name: 'look_up', input: { id: 1 } })).result).toMatchObject({ status: 'ok' });
  expect((await resultOf({ name: 'shop.look_up', input: { id: 1 } })).result).toMatchObject({ status: 'refused' });
  expect((await resultOf({ name: 'functions__shop__look_up', input: { id: 1 } })).result).toMatchObject({
    status: 'ok',
  });
});

test('an answer that is not of the contract is the tool’s failure, not a crash', async () => {
  const odd = { ...lookUp, execute: () => 42 as never };
  const { events, outcome } = await walk(
    agent('clerk', [{ calls: [{ name: 'shop__look_up', input: { id: 1 } }] }, 'ok'], { tools: [odd] }),
  );
  expect(outcome.status).toBe('completed');
  expect(events.find((event) => event.type === 'tool-end')?.result).toMatchObject({
    status: 'failed',
    failure: { class: 'tool' },
  });
});
