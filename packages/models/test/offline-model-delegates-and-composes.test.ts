// The offline model asks everybody it is offered, at once, and its report names each of them with what they gave.

import { ask, asTool, callsOf, defineTool, fail, inProcess, type ToolOffer } from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

const model = offlineDemo();
const prompt =
  'Write a release note and a support FAQ for version 2.4, which adds offline mode and fixes two login bugs.';
const closing = '(offline/demo: composed by rule, without a language model)';

function child(name: string, instructions: string): ToolOffer {
  return asTool({ name, description: `Is ${name}.`, instructions, model });
}

const team = [
  child('release-writer', 'You write release notes for our customers.'),
  child('faq-writer', 'You write FAQs for the support team.'),
];

async function run(tools: readonly ToolOffer[], request = prompt, format: 'text' | 'markdown' = 'text') {
  const agent = { name: 'lead', instructions: 'You lead a small team.', model, tools, output: { format } };
  const outcome = await ask(agent, request, { ports: fakePorts(), runtime: strict(inProcess) });
  const messages = outcome.conversations[outcome.sessionId] ?? [];
  const turns = messages.flatMap((message) =>
    message.role === 'assistant' ? [callsOf(message).map(({ name }) => name)] : [],
  );
  return { outcome, turns };
}

function echo(name: string, answer: string | (() => never) = `${name} was here.`): ToolOffer {
  return defineTool({
    name,
    inputSchema: { type: 'object' },
    execute: () => (typeof answer === 'string' ? answer : answer()),
  });
}

test('Both sub-agents are asked in one turn, and each writes the part that is its own.', async () => {
  const { outcome, turns } = await run(team);
  expect(outcome.status).toBe('completed');
  expect(turns).toEqual([['agent__release-writer', 'agent__faq-writer'], []]);
  expect(outcome.text).toBe(
    [
      'Release note and support FAQ for version 2.4',
      'release-writer:\nRelease note for version 2.4\nVersion 2.4 adds offline mode and fixes two login bugs.',
      'faq-writer:\nSupport FAQ for version 2.4\nQ: What does version 2.4 bring?\nA: Version 2.4 adds offline mode and fixes two login bugs.',
      closing,
    ].join('\n\n'),
  );
});

test('A Markdown report has a heading for the task and one for each part.', async () => {
  const { outcome } = await run(team, prompt, 'markdown');
  const headings = outcome.text.split('\n').filter((line) => line.startsWith('#'));
  expect(headings).toEqual(['# Release note and support FAQ for version 2.4', '## release-writer', '## faq-writer']);
  expect(outcome.text.endsWith(closing)).toBe(true);
});

test('A failure is named as one, with its reason, and spares the others.', async () => {
  const broken = defineTool({
    name: 'stock',
    inputSchema: { type: 'object' },
    execute: () => fail('The shelf is empty.'),
  });
  const { outcome } = await run([broken, echo('price', '12 euro')], 'Look at the chairs.');
  expect(outcome.status).toBe('completed');
  expect(outcome.text).toBe(`Look at the chairs\n\nstock failed: The shelf is empty.\n\nprice: 12 euro\n\n${closing}`);
});

test('Data is told in words, and of a long text the beginning.', async () => {
  const weather = defineTool({
    name: 'weather',
    inputSchema: { type: 'object' },
    execute: () => ({ type: 'json', value: { sky: 'clear', highs: [21, 23] } }),
  });
  const { outcome } = await run([weather, echo('history', 'It rained all day long. '.repeat(100))], 'How is Porto?');
  expect(outcome.text).toContain('weather: sky: clear, highs: 21; 23');
  expect(outcome.text.length).toBeLessThan(800);
});

test('Of many tools at most eight are called, sub-agents first.', async () => {
  const many = Array.from({ length: 9 }, (_, i) => echo(`tool${i}`));
  const { turns } = await run([...many, ...team]);
  expect(turns[0]).toHaveLength(8);
  expect(turns[0]?.slice(0, 2)).toEqual(['agent__release-writer', 'agent__faq-writer']);
});

test('A later prompt of the same conversation is worked on anew.', async () => {
  const agent = { name: 'lead', instructions: 'You lead.', model, tools: [echo('probe', 'Seen.')] };
  const options = { ports: fakePorts(), runtime: strict(inProcess) };
  const first = await ask(agent, 'Look at the first thing.', options);
  const history = first.conversations[first.sessionId]?.filter(({ role }) => role !== 'system') ?? [];
  expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  const second = await ask(agent, 'Look at the second thing.', { ...options, history });
  expect(second.usage.toolCalls).toBe(1);
  expect(second.text).toMatch(/^Look at the second thing\n\nprobe: Seen\./);
});
