// What a model of OpenAI says on the way is not its answer: shown as thought, and given back as what it was.

import { type ModelReply, textOf, userMessage } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { openaiResponses } from './support/wires/openai-responses.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const said = [
  { id: 'msg_1', phase: 'commentary', text: 'I look it up.' },
  { id: 'msg_2', phase: 'final_answer', text: '{"tide": "low"}' },
];
const output = said.map(({ id, phase, text }) => ({
  id,
  phase,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
}));
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'gpt-5.5',
  output,
  usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
};
const events = [
  { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
  ...output.flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
    {
      type: 'response.output_text.delta',
      item_id: item.id,
      output_index,
      content_index: 0,
      delta: said[output_index]?.text,
    },
    { type: 'response.output_item.done', output_index, item },
  ]),
  { type: 'response.completed', response },
];
const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

test.each([['whole'], ['streamed']])('%s', async (way) => {
  const { model, requests } = await serveWire(openaiResponses, [
    (answer, { isStreamed }) => {
      answer.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
      answer.end(isStreamed ? stream : JSON.stringify(response));
    },
  ]);
  const heard = { text: '', reasoning: '' };
  const onDelta = (delta: { type: 'text' | 'reasoning'; text: string }) => {
    heard[delta.type] += delta.text;
  };
  const context = () => contextOf(way === 'streamed' ? { onDelta } : {});
  const reply: ModelReply = await model.call(requestOf(), context());
  expect(textOf(reply.message)).toBe('{"tide": "low"}');
  expect(reply.message.content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  if (way === 'streamed') expect(heard).toEqual({ text: '{"tide": "low"}', reasoning: 'I look it up.' });

  await model.call(requestOf({ messages: [userMessage('Tide?'), reply.message, userMessage('Sure?')] }), context());
  const input = requests[1]?.body.input as readonly { role?: string; phase?: string; content: unknown }[];
  const back = input.filter(({ role }) => role === 'assistant');
  expect(back).toMatchObject([
    { phase: 'commentary', content: 'I look it up.' },
    { phase: 'final_answer', content: '{"tide": "low"}' },
  ]);
});
