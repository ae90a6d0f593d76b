// A model that was trained on older prompts may call a tool for its final report. Nobody offers it: what it says is the answer.

import { defineTool } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agent, factTypes, walk } from './support/walk.ts';

const reporting = (input: unknown, name = 'agent__final_report') => ({ calls: [{ name, input, id: 'r1' }] });

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  execute: () => 'Tea.',
});

describe('the answer is', () => {
  test.each([
    ['report_content', { report_format: 'markdown', report_content: '# Tea' }, '# Tea'],
    ['content', { format: 'text', content: 'Tea' }, 'Tea'],
    ['report', { status: 'success', report: 'Tea' }, 'Tea'],
    ['content_json, as JSON', { format: 'json', content_json: { a: ['b'] } }, '{"a":["b"]}'],
    ['content_json before other words of a JSON report', { format: 'json', content: 'x', content_json: [1] }, '[1]'],
    ['the words before JSON of another', { format: 'text', content: 'x', content_json: [1] }, 'x'],
    ['an object where text should be, as JSON', { report_content: { a: 1 } }, '{"a":1}'],
    ['JSON that is text already', { report_format: 'json', report_content: '{"a":1}' }, '{"a":1}'],
    ['messages', { format: 'slack', messages: [{ text: 'Tea' }] }, '[{"text":"Tea"}]'],
  ])('%s', async (_, input, text) => {
    for (const name of ['agent__final_report', 'final_report']) {
      const { outcome, events } = await walk(agent('desk', [reporting(input, name)]));
      expect(outcome).toMatchObject({ status: 'completed', text });
      expect(factTypes(events)).not.toContain('tool-start');
    }
  });
});

test('words beside the call are no part of it, and the conversation has no call without a result', async () => {
  const step = { ...reporting({ report: 'Tea' }), text: 'Here is my report.', reasoning: 'I am done.' };
  const { events, outcome } = await walk(agent('desk', [step]));
  expect(outcome.text).toBe('Tea');
  expect(events.find(({ type }) => type === 'model-end')).toMatchObject({
    reply: {
      finishReason: 'stop',
      message: {
        content: [
          { type: 'reasoning', text: 'I am done.', bound: {} },
          { type: 'text', text: 'Tea' },
        ],
      },
    },
  });
});

test('of several such calls the last is', async () => {
  const calls = ['draft', 'Tea'].map((report) => ({ name: 'final_report', input: { report } }));
  expect((await walk(agent('desk', [{ calls }]))).outcome).toMatchObject({ status: 'completed', text: 'Tea' });
});

test('it keeps the contract like any answer', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const script = [reporting({ content_json: { b: 1 } }), reporting({ content_json: { a: 'b' } })];
  const desk = agent('desk', script, { output: { format: 'json', schema } });
  expect((await walk(desk)).outcome).toMatchObject({ status: 'completed', report: { a: 'b' } });
  expect(JSON.stringify(desk.model.requests[1]?.messages)).not.toContain('tool-call');
});

test('beside calls of tools it is no answer: those run, and the model reads how to give one', async () => {
  const calls = [{ name: 'look', input: { q: 'tea' } }, ...reporting({ report: 'Too early.' }).calls];
  const desk = agent('desk', [{ calls }, 'Tea it is.'], { tools: [look] });
  const { outcome } = await walk(desk);
  expect(outcome).toMatchObject({ status: 'completed', text: 'Tea it is.' });
  const results = desk.model.requests[1]?.messages.at(-1);
  expect(results).toMatchObject({ role: 'tool', content: [{ text: 'Tea.' }, { isError: true }] });
  expect(JSON.stringify(results)).toContain('give your final answer as plain text');
});

test('in the last turn, in which no tools are left, it is the answer too', async () => {
  const script = [{ calls: [{ name: 'look', input: {} }] }, reporting({ report: 'Tea' })];
  const { outcome } = await walk(agent('desk', script, { tools: [look], limits: { maxTurns: 2 } }));
  expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns', text: 'Tea' });
});

describe('it is a call like any other', () => {
  test('when a tool of that name is offered', async () => {
    const seen: unknown[] = [];
    const final = defineTool({
      ...look,
      name: 'final_report',
      inputSchema: { type: 'object' },
      execute: (args) => {
        seen.push(args);
        return 'Filed.';
      },
    });
    const script = [reporting({ report: 'Tea' }, 'final_report'), 'Done.'];
    expect((await walk(agent('desk', script, { tools: [final] }))).outcome.text).toBe('Done.');
    expect(seen).toEqual([{ report: 'Tea' }]);
  });

  test.each([
    ['says nothing', reporting({ status: 'success', report: ' ' })],
    ['is no object', reporting('Tea')],
    ['is damaged', reporting('{"report": "Te')],
    ['was cut', { ...reporting({ report: 'Te' }), finishReason: 'length' } as const],
  ])('when it %s', async (_, step) => {
    const desk = agent('desk', [step, 'Tea.']);
    expect((await walk(desk)).outcome).toMatchObject({ status: 'completed', text: 'Tea.' });
    expect(desk.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: [{ isError: true }] });
  });
});

test('a secret in it is not shown', async () => {
  const desk = agent('desk', [reporting({ report: 'It is canary "7" of many.' })]);
  const { outcome } = await walk(desk, 'go', { envOverlay: { MY_API_KEY: 'canary "7" of many' } });
  expect(outcome.text).toBe('It is ***.');
});
