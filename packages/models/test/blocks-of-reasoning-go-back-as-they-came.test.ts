// The promise: blocks of reasoning that OpenRouter sends go back to the same model unchanged, and are shown once.

import { type ModelDelta, type ModelReply, userMessage } from '@ai-agent/core';
import { createModels } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Two calls of a model: what it answered to the first, and what it then got to read of itself. */
async function twice(messages: readonly Fields[], options: { interleaved?: boolean | string; second?: string } = {}) {
  const { interleaved, second = 'router/a/model' } = options;
  const bodies: { messages: Fields[] }[] = [];
  const { baseUrl } = await serve((_, response, body) => {
    const asked = JSON.parse(body);
    bodies.push(asked);
    const [whole] = messages;
    const chunks = [...messages.map((delta) => ({ delta })), { delta: {}, finish_reason: 'stop' }];
    const events = chunks.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`);
    response.end(
      asked.stream
        ? `${events.join('')}data: [DONE]\n\n`
        : JSON.stringify({ choices: [{ message: whole, finish_reason: 'stop' }] }),
    );
  });
  const router = {
    type: 'openrouter',
    baseUrl,
    ...(interleaved === undefined ? {} : { models: { 'a/model': { interleaved } } }),
  } as const;
  const models = createModels({ providers: { router } });
  onTestFinished(() => models.close());
  const heard: ModelDelta[] = [];
  const isStreamed = messages.length > 1;
  const context = contextOf(isStreamed ? { onDelta: (delta) => heard.push(delta) } : {});
  const reply = await (await models.resolve('router/a/model', { env: {} })).call(requestOf(), context);
  await (await models.resolve(second, { env: {} })).call(
    requestOf({ messages: [userMessage('One.'), reply.message, userMessage('Two.')] }),
    context,
  );
  return { reply, heard, sent: bodies[1]?.messages.find(({ role }) => role === 'assistant') };
}

function thoughtsIn({ message }: ModelReply) {
  return message.content.flatMap((part) => (part.type === 'reasoning' ? part.text : []));
}

const text = (fields: Fields) => ({ type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', ...fields });
const signed = text({ text: 'First, look.', signature: 'sig', id: 'r1' });
const secret = { type: 'reasoning.encrypted', data: 'AAAA', id: 'r2', format: 'openai-responses-v1', index: 1 };

describe('whole', () => {
  test('they are unchanged, and shown once', async () => {
    const { reply, sent } = await twice([
      { role: 'assistant', content: 'So.', reasoning: 'First, look.', reasoning_details: [signed, secret] },
    ]);
    expect(thoughtsIn(reply)).toEqual(['First, look.']);
    expect(sent).toEqual({ role: 'assistant', content: 'So.', reasoning_details: [signed, secret] });
  });

  test('their text is shown when there is no other', async () => {
    const summary = { type: 'reasoning.summary', summary: 'Looked.', index: 0 };
    const { reply, sent } = await twice([{ content: 'So.', reasoning_details: [summary, secret] }]);
    expect(thoughtsIn(reply)).toEqual(['Looked.']);
    expect(sent).toMatchObject({ reasoning_details: [summary, secret] });
  });

  test('what nobody can read goes back too, beside a call', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const { reply, sent } = await twice([{ content: null, tool_calls: [call], reasoning_details: [secret] }]);
    expect(thoughtsIn(reply)).toEqual(['']);
    expect(sent).toEqual({ role: 'assistant', content: null, tool_calls: [call], reasoning_details: [secret] });
  });

  test('a text without blocks goes back as a text', async () => {
    const { sent } = await twice([{ content: 'So.', reasoning: 'Hm.' }]);
    expect(sent).toEqual({ role: 'assistant', content: 'So.', reasoning: 'Hm.' });
  });

  test('the configuration may say otherwise', async () => {
    const message = { content: 'So.', reasoning: 'First, look.', reasoning_details: [signed] };
    const sent = async (interleaved: boolean | string) => (await twice([message], { interleaved })).sent;
    expect(await sent(false)).toEqual({ role: 'assistant', content: 'So.' });
    expect(await sent('thoughts')).toEqual({ role: 'assistant', content: 'So.', thoughts: 'First, look.' });
    expect(await sent(true)).toEqual({ role: 'assistant', content: 'So.', reasoning_details: [signed] });
  });

  test('another model gets none of them', async () => {
    const message = { content: 'So.', reasoning: 'First, look.', reasoning_details: [signed] };
    const { sent } = await twice([message], { second: 'router/another/model' });
    expect(sent).toEqual({ role: 'assistant', content: 'So.' });
  });
});

describe('streamed', () => {
  test('pieces of a block are one block, with its signature', async () => {
    const { reply, heard, sent } = await twice([
      { role: 'assistant', content: '', reasoning: 'First, ', reasoning_details: [text({ text: 'First, ' })] },
      { content: '', reasoning: 'look.', reasoning_details: [text({ text: 'look.', id: 'r1' })] },
      { content: '', reasoning: null, reasoning_details: [text({ signature: 'sig', text: null })] },
      { content: '', reasoning_details: [secret] },
      { content: 'So.' },
    ]);
    expect(heard.slice(0, 3)).toEqual([
      { type: 'reasoning', text: 'First, ' },
      { type: 'reasoning', text: 'look.' },
      { type: 'text', text: 'So.' },
    ]);
    expect(thoughtsIn(reply)).toEqual(['First, look.']);
    expect(sent).toEqual({ role: 'assistant', content: 'So.', reasoning_details: [signed, secret] });
  });

  test('blocks are told apart by index, by type, by id, and by a signature', async () => {
    const pieces = [
      text({ text: 'a', signature: 's1' }),
      text({ text: 'b', signature: 's2' }),
      text({ text: 'c', index: 1 }),
      { type: 'reasoning.summary', summary: 'd', index: 1 },
      { type: 'reasoning.summary', summary: 'e', index: 1, id: 'x' },
      { type: 'reasoning.summary', summary: 'f', index: 1, id: 'y' },
      secret,
      { ...secret, data: 'BBBB' },
    ];
    const { sent } = await twice([...pieces.map((piece) => ({ reasoning_details: [piece] })), { content: 'So.' }]);
    expect(sent?.reasoning_details).toEqual([
      pieces[0],
      pieces[1],
      pieces[2],
      { type: 'reasoning.summary', summary: 'de', index: 1, id: 'x' },
      pieces[5],
      secret,
      { ...secret, data: 'BBBB' },
    ]);
  });

  test('their text is told when there is no other, and never twice', async () => {
    const alone = await twice([
      { reasoning_details: [text({ text: 'Fir' })] },
      { reasoning_details: [text({ text: 'st.' })] },
      { content: 'So.' },
    ]);
    expect(thoughtsIn(alone.reply)).toEqual(['First.']);
    const both = await twice([
      { reasoning: 'First.' },
      { reasoning_details: [text({ text: 'First.' })] },
      { content: 'So.' },
    ]);
    expect(thoughtsIn(both.reply)).toEqual(['First.']);
    expect(both.sent).toMatchObject({ reasoning_details: [text({ text: 'First.' })] });
  });
});
