// Whole or streamed, labelled rightly or not, ended or left open: a complete reply is read, and its last figures count.

import { callsOf, type Model, textOf } from '@ai-agent/core';
import { expect, test, vi } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf, ways } from './support/calling.ts';
import { type Handler, serve } from './support/raw-server.ts';

const call = { id: 'a', type: 'function', function: { name: 'add', arguments: '{"x":1}' } };
const message = { role: 'assistant', content: 'Grüße', reasoning_content: 'Hm.', tool_calls: [call] };
const whole = JSON.stringify({
  id: '1',
  model: 'm',
  choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
  usage: { prompt_tokens: 4, completion_tokens: 2 },
});
const event = (fields: object) => `data: ${JSON.stringify({ id: '1', model: 'm', ...fields })}\n\n`;
const delta = (fields: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
const stream = `${delta({ content: 'Hello' })}${delta({}, 'stop')}data: [DONE]\n\n`;

async function ask(handler: Handler) {
  const server = await serve(handler);
  const model: Model = await modelAt(server.baseUrl);
  let heard = '';
  const onDelta = ({ type, text }: { type: string; text: string }) => {
    heard += `${type} ${text}; `;
  };
  const reply = await model.call(requestOf(), contextOf({ onDelta }));
  return { ...reply, text: textOf(reply.message), heard, server };
}

test.each([
  ['application/json', whole],
  ['application/json; charset=utf-8', `\n ${whole}`],
  ['text/event-stream', whole],
])('a whole reply as %s to who asked for a stream', async (type, body) => {
  const reply = await ask((_, response) => {
    response.writeHead(200, { 'content-type': type });
    for (const byte of Buffer.from(body)) response.write(Buffer.of(byte));
    response.end();
  });
  expect(reply).toMatchObject({ text: 'Grüße', heard: 'reasoning Hm.; text Grüße; ', finishReason: 'tool-calls' });
  expect(callsOf(reply.message)).toMatchObject([{ id: 'a', name: 'add', input: '{"x":1}' }]);
  expect(reply.usage).toMatchObject({ inputTokens: 4, outputTokens: 2 });
});

test('a stream that is labelled as JSON', async () => {
  const reply = await ask((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(stream));
  expect(reply.text).toBe('Hello');
});

test('a body that stays open after [DONE] is left, and its connection closed', async () => {
  let closed = 0;
  const reply = await ask((_, response) => {
    response.on('close', () => closed++);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(stream);
  });
  expect(reply.text).toBe('Hello');
  await vi.waitFor(() => expect(closed).toBe(1));
});

test('a body that goes on after [DONE] is left too', async () => {
  let closed = 0;
  const reply = await ask((_, response) => {
    const timer = setInterval(() => response.write(': still here\n\n'), 20);
    response.on('close', () => {
      closed++;
      clearInterval(timer);
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(stream);
  });
  expect(reply.text).toBe('Hello');
  await vi.waitFor(() => expect(closed).toBe(1));
});

test('[DONE] before the reply is finished ends nothing', async () => {
  const { text } = await ask((_, response) =>
    response.end(`${delta({ content: 'Hel' })}data: [DONE]\n\n${delta({ content: 'lo' }, 'stop')}`),
  );
  expect(text).toBe('Hello');
});

test('of several figures, the last count', async () => {
  const figures = (count: number) => event({ choices: [], usage: { prompt_tokens: count, completion_tokens: count } });
  const { usage } = await ask((_, response) => response.end(`${figures(1)}${figures(2)}${stream}`));
  expect(usage).toMatchObject({ inputTokens: 2, outputTokens: 2 });
});

test.each(ways)('arguments that are an object are its text: %s', async (_, context) => {
  const odd = { ...call, function: { name: 'add', arguments: { days: 365 } } };
  const { baseUrl } = await serve((_, response, body) => {
    const isStreamed = JSON.parse(body).stream;
    const choice = { index: 0, message: { ...message, tool_calls: [odd] }, finish_reason: 'tool_calls' };
    response.end(
      isStreamed
        ? `${delta({ tool_calls: [{ index: 0, ...odd }] })}${delta({}, 'tool_calls')}`
        : JSON.stringify({ choices: [choice] }),
    );
  });
  const reply = await (await modelAt(baseUrl)).call(requestOf(), context());
  expect(callsOf(reply.message)).toMatchObject([{ input: '{"days":365}' }]);
});

test.each(ways)('calls have ids of their own, sent or not: %s', async (_, context) => {
  const calls = [call, { ...call }, { ...call, id: '' }, { ...call, id: undefined }];
  const { baseUrl } = await serve((_, response, body) => {
    const choice = { index: 0, message: { ...message, tool_calls: calls }, finish_reason: 'tool_calls' };
    const pieces = calls.map((one, index) => delta({ tool_calls: [{ ...one, index }] })).join('');
    response.end(
      JSON.parse(body).stream ? `${pieces}${delta({}, 'tool_calls')}` : JSON.stringify({ id: 'r', choices: [choice] }),
    );
  });
  const ids = callsOf((await (await modelAt(baseUrl)).call(requestOf(), context())).message).map(({ id }) => id);
  expect(ids[0]).toBe('a');
  expect(new Set(ids).size).toBe(4);
  // Made of the id of the reply: no other turn has the same.
  expect(ids.slice(1).join(' ')).toMatch(/^([1r]_\d ?){3}$/);
});

test.each([
  [{ choices: [{ index: 0, delta: { reasoning_content: ['Hm'] } }] }],
  [{ choices: [{ index: 0, delta: 'Hello' }] }],
  [{ choices: { index: 0 } }],
  [{ choices: [{ index: 0, delta: {}, finish_reason: true }] }],
  [{ choices: [{ index: 0, delta: { tool_calls: [{ ...call, index: '0' }] } }] }],
  [{ choices: [{ index: 0, delta: { tool_calls: [{ ...call, function: { name: 'f', arguments: [1] } }] } }] }],
])('%j in a stream is no part of a reply', async (odd) => {
  const { baseUrl } = await serve((_, response) => response.end(`${event(odd)}${stream}`));
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf({ onDelta: () => {} })));
  expect(failure.code).toBe('model-reply-invalid');
});
