import { defineTool } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

test('calls of a reply that the output limit cut are refused, whole ones too', async () => {
  let runs = 0;
  const drop = defineTool({ name: 'drop', inputSchema: { type: 'object' }, execute: () => `${++runs}` });
  const clerk = agent(
    'clerk',
    [{ calls: [{ name: 'drop' }, { name: 'drop', input: '{"ta' }], finishReason: 'length' }, 'fine'],
    { tools: [drop] },
  );
  const { outcome, events } = await walk(clerk);
  expect(runs).toBe(0);
  expect(outcome).toMatchObject({ status: 'completed', text: 'fine' });
  const ends = events.filter((event) => event.type === 'tool-end');
  expect(ends.map((end) => end.result.failure?.code)).toEqual(['reply-cut', 'reply-cut']);
  const said = clerk.model.requests[1]?.messages.at(-1);
  expect(said?.role === 'tool' && said.content.map((part) => part.isError)).toEqual([true, true]);
});

test('a text that was cut is partial, with the limit named', async () => {
  const { outcome } = await walk(agent('clerk', [{ text: 'It was a dark and', finishReason: 'length' }]));
  expect(outcome).toMatchObject({ status: 'partial', limit: 'maxOutputTokens', text: 'It was a dark and' });
});
