// The offline model's JSON reports satisfy their schema at the first try, and are filled with what was said.

import { ask, defineTool, inProcess, type JsonSchema, type OutputContract, type ToolOffer } from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

const options = { ports: fakePorts(), runtime: strict(inProcess) };
const facts = 'The ferry sails at nine. It carries 40 cars. Tickets cost 12 euro at the pier.';
const list = { type: 'array', items: { type: 'string' } };

function agentWith(tools: readonly ToolOffer[], output?: OutputContract) {
  return {
    name: 'clerk',
    instructions: 'You are a clerk.',
    model: offlineDemo(),
    tools,
    ...(output ? { output } : {}),
  };
}

async function report(schema: JsonSchema | undefined, prompt: string, tools: readonly ToolOffer[] = []) {
  const output: OutputContract = { format: 'json', ...(schema ? { schema } : {}) };
  const outcome = await ask(agentWith(tools, output), prompt, options);
  expect(outcome.status).toBe('completed');
  // A repaired report would have taken one call more.
  expect(outcome.usage.modelCalls).toBe(tools.length > 0 ? 2 : 1);
  return 'report' in outcome ? outcome.report : undefined;
}

const summarySchema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 30 },
    summary: { type: 'string' },
    highlights: { ...list, minItems: 2, maxItems: 3, uniqueItems: true },
    mood: { enum: ['glad', 'sad'] },
    score: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['title', 'summary', 'highlights', 'mood', 'score'],
  additionalProperties: false,
};

test('Alone, the texts are sentences of the request.', async () => {
  expect(await report(summarySchema, facts)).toEqual({
    title: 'The ferry sails at nine',
    summary: facts,
    highlights: ['The ferry sails at nine.', 'It carries 40 cars.', 'Tickets cost 12 euro at the pier.'],
    mood: 'glad',
    score: 1,
  });
});

test('With tools, the texts are sentences of the results, and data keeps its names.', async () => {
  const timetable = defineTool({ name: 'timetable', inputSchema: { type: 'object' }, execute: () => facts });
  const price = defineTool({
    name: 'price',
    inputSchema: { type: 'object' },
    execute: () => ({ type: 'json', value: { price: 12, currency: 'EUR' } }),
  });
  const properties = { points: list, price: { type: 'number' }, currency: { type: 'string' } };
  expect(await report({ type: 'object', properties }, 'Tell me about the ferry.', [timetable, price])).toEqual({
    points: [
      'The ferry sails at nine.',
      'It carries 40 cars.',
      'Tickets cost 12 euro at the pier.',
      'Price: 12, currency: EUR',
    ],
    price: 12,
    currency: 'EUR',
  });
});

test('Items of a list are about one point each.', async () => {
  const item = {
    type: 'object',
    properties: { title: { type: 'string' }, detail: { type: 'string' } },
    required: ['title', 'detail'],
  };
  const items = await report({ type: 'array', items: item, minItems: 2 }, facts);
  expect(items).toContainEqual({ title: 'It carries 40 cars.', detail: 'It carries 40 cars.' });
});

const release =
  'Write a release note and a support FAQ for version 2.4. It adds offline mode. It fixes two login bugs.';

test('A headline names the task, and every fact has its place.', async () => {
  const properties = { headline: { type: 'string' }, changes: { ...list, minItems: 1 } };
  expect(await report({ type: 'object', properties, required: ['headline', 'changes'] }, release)).toEqual({
    headline: 'Release note and support FAQ for version 2.4',
    changes: ['Version 2.4 adds offline mode.', 'Version 2.4 fixes two login bugs.'],
  });
});

test('Questions and answers go together, and none is asked twice.', async () => {
  const properties = { question: { type: 'string' }, answer: { type: 'string' } };
  const item = { type: 'object', properties, required: ['question', 'answer'] };
  expect(await report({ type: 'array', minItems: 3, items: item }, release)).toEqual([
    { question: 'Is it true that version 2.4 adds offline mode?', answer: 'Version 2.4 adds offline mode.' },
    { question: 'Is it true that version 2.4 fixes two login bugs?', answer: 'Version 2.4 fixes two login bugs.' },
    {
      question: 'What more is there about: Version 2.4 adds offline mode?',
      answer: 'More about: Version 2.4 adds offline mode.',
    },
  ]);
});

test('A list that must be longer than there are facts says so.', async () => {
  expect(await report({ ...list, minItems: 4 }, 'The ferry sails at nine.')).toEqual([
    'The ferry sails at nine.',
    'More about: The ferry sails at nine.',
    'More about (2): The ferry sails at nine.',
    'More about (3): The ferry sails at nine.',
  ]);
});

test('A bare question still gets a document of the right form.', async () => {
  expect(
    await report({ type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }, 'Why?'),
  ).toEqual({ answer: 'Why?' });
});

test('Without a schema it is a document too.', async () => {
  expect(await report(undefined, facts)).toMatchObject({ task: 'The ferry sails at nine', answer: facts });
});

test('A contract that only the caller asks for is kept.', async () => {
  const output: OutputContract = { format: 'json', schema: summarySchema };
  const outcome = await ask(agentWith([]), facts, { ...options, output });
  expect(outcome).toMatchObject({ status: 'completed', report: { title: 'The ferry sails at nine' } });
});

test('A report that was sent back is about the request still, not about the complaint.', async () => {
  let isFirst = true;
  const demo = offlineDemo();
  const model: typeof demo = {
    ...demo,
    async call(request, context) {
      const reply = await demo.call(request, context);
      if (!isFirst) return reply;
      isFirst = false;
      return { ...reply, message: { role: 'assistant', content: [{ type: 'text', text: 'No JSON at all' }] } };
    },
  };
  const outcome = await ask({ ...agentWith([], { format: 'json', schema: summarySchema }), model }, facts, options);
  expect(outcome.usage.modelCalls).toBe(2);
  expect(outcome).toMatchObject({ status: 'completed', report: { summary: facts } });
});
