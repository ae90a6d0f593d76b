// The promise: what has the shape of a key is shown to nobody, and models still work with it; what only looks like one is left alone.
import { asTool, type Model } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { keys, lookalikes } from './support/keys.ts';
import { forms, look, says } from './support/seen.ts';
import { agent, nextTick, start, walk } from './support/walk.ts';

const key = keys.openai ?? '';

describe('what has the shape of a key', () => {
  test.each(Object.entries(keys))('is not shown: %s', async (_, text) => {
    const { shown } = await look(
      agent('lead', [{ calls: [{ name: 'look', input: { text } }], reasoning: text }, `Its key=${text}.`], {
        tools: [says(text)],
      }),
      text,
    );
    for (const form of forms(text)) expect(shown).not.toContain(form);
  });

  test.each([
    ['what only a provider understands', { bound: { p: { [key]: 1 } } }],
    ['what nobody does', { extra: { key } }],
  ])('is not shown in %s', async (_, more) => {
    const content = [{ type: 'text', text: 'done', ...more }];
    const reply = { message: { role: 'assistant', content }, finishReason: 'stop', usage: {} };
    const model: Model = { provider: 'p', model: 'm', call: async () => reply as never };
    const { shown, outcome } = await look({ name: 'lead', instructions: 'x', model });
    expect(outcome.text).toBe('done');
    expect(shown).not.toContain(key);
  });

  test('is for a model to work with, through every session of the tree', async () => {
    const below = agent('below', [`I made ${key}`]);
    const lead = agent(
      'lead',
      [{ calls: [{ name: 'agent__below', input: { text: key, reason: 'r' } }] }, `Use ${key}`],
      { tools: [asTool(below)] },
    );
    const { outcome } = await look(lead, `My key is ${key}`);
    expect(outcome.text).toBe('Use ***');
    expect(JSON.stringify(below.model.requests[0]?.messages)).toContain(key);
    expect(JSON.stringify(lead.model.requests[1]?.messages)).toContain(`I made ${key}`);
  });

  test('is not shown to a person who is asked, nor in an error of an answer', async () => {
    const questions: unknown[] = [];
    const lead = agent(
      'lead',
      [{ calls: [{ name: 'ask_user', input: { question: `Is ${key} right?`, choices: ['yes', key] } }] }, 'ok'],
      { ask: 'person' },
    );
    const run = start(lead, 'go', {
      onQuestion: (question) => {
        questions.push(question);
      },
    });
    while (questions.length === 0) await nextTick();
    const { handle } = questions[0] as { handle: string };
    expect(() => run.answer(handle, 'perhaps')).toThrow('"perhaps" is none of: yes, ***.');
    run.answer(handle, 'yes');
    await run.outcome;
    expect(JSON.stringify([questions, run.events])).not.toContain(key);
  });

  test.each(lookalikes.map((text) => [text]))('and only that: %s', async (text) => {
    const { outcome } = await look(agent('lead', [text]));
    expect(outcome.text).toBe(text);
  });
});

test('a name in a batch that looks like a key is not shown', async () => {
  const long = `sk-ant-api03-${'aB3dE6gH9jK2'.repeat(8)}-abcdefAA`;
  const calls = [{ name: 'agent__batch', input: { calls: [{ id: '1', tool: long, parameters: {} }] } }];
  const { events } = await walk(agent('a', [{ calls }, 'fine'], { batch: true }));
  expect(JSON.stringify(events)).not.toContain(long);
});
