// The promise: of two users of one key, neither reaches what the other has said to an agent as a model: no session, no question, no call, no response and no thread.

import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { anthropic, createApp, Hall, hashOf, Keys, openai } from '../src/index.ts';
import { agentOf, lastResult } from './contract/people.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;

const secret = 'sk-house-0123456789';
const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };

/** Asks; with tools of its client it calls those. */
const curious = agentOf('curious', (request) => {
  const calls = { calls: [{ name: 'weather', input: {} }] };
  return lastResult(request) ?? (request.tools.some(({ name }) => name === 'weather') ? calls : asks);
});

function open() {
  const hall = new Hall({ agents: () => [{ name: 'curious', agent: curious }], ports: fakePorts() });
  const keys = new Keys({ house: { hash: hashOf(secret) } }, new FakeClock());
  const app = createApp(hall, [openai(), anthropic()], { keys });
  return async (user: string, path: string, body?: object, more: RequestInit = {}): Promise<Read> => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${secret}`,
      'x-ai-agent-user': user,
      ...more.headers,
    };
    const sent = body ? { method: 'POST', body: JSON.stringify({ model: 'curious', max_tokens: 100, ...body }) } : {};
    const response = await app.request(path, { ...sent, ...more, headers });
    return { ...JSON.parse((await response.text()) || '{}'), status: response.status };
  };
}

const said = (content: unknown) => ({ role: 'user', content });

interface Api {
  readonly name: string;
  readonly path: string;
  toBody(said: readonly object[]): object;
  /** The reply, as its client says it again. */
  again(reply: Read): readonly object[];
  textOf(reply: Read): string;
  readonly tools: readonly object[];
  resultOf(reply: Read, result: string): object;
}

const schema = { type: 'object', properties: {} };

const apis: readonly Api[] = [
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    toBody: (messages) => ({ messages, max_tokens: undefined }),
    again: ({ choices }) => [choices[0].message],
    textOf: ({ choices }) => choices[0].message.content,
    tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
    resultOf: ({ choices }, content) => ({
      role: 'tool',
      tool_call_id: choices[0].message.tool_calls[0].id,
      content,
    }),
  },
  {
    name: 'responses',
    path: '/v1/responses',
    toBody: (input) => ({ input, max_tokens: undefined }),
    again: ({ output }) => output,
    textOf: ({ output }) => output.at(-1).content[0].text,
    tools: [{ type: 'function', name: 'weather', parameters: schema }],
    resultOf: ({ output }, result) => ({
      type: 'function_call_output',
      call_id: output.at(-1).call_id,
      output: result,
    }),
  },
  {
    name: 'messages',
    path: '/v1/messages',
    toBody: (messages) => ({ messages }),
    again: ({ content }) => [{ role: 'assistant', content }],
    textOf: ({ content }) => content.at(-1).text,
    tools: [{ name: 'weather', input_schema: schema }],
    resultOf: ({ content }, result) => said([{ type: 'tool_result', tool_use_id: content.at(-1).id, content: result }]),
  },
];

const sessionOf = ({ ai_agent }: Read): string => ai_agent.session_id;

describe.each(apis)('$name', ({ path, toBody, again, textOf, tools, resultOf }) => {
  test('a session that is named is unknown to the other, in the body and in the header', async () => {
    const ask = open();
    const id = sessionOf(await ask('ada', path, toBody([said('Go.')])));
    const body = toBody([said('1999')]);
    const replies = [
      await ask('bob', path, { ...body, ai_agent: { session: id } }),
      await ask('bob', path, body, { headers: { 'x-ai-agent-session': id } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    const hers = await ask('ada', path, { ...body, ai_agent: { session: id } });
    expect([textOf(hers), sessionOf(hers)]).toEqual(['1999', id]);
  });

  test('a question is answered by who was asked', async () => {
    const ask = open();
    const first = await ask('ada', path, toBody([said('Go.')]));
    const talk = toBody([said('Go.'), ...again(first), said('1999')]);
    const his = await ask('bob', path, talk);
    expect([his.status, textOf(his)]).toEqual([200, 'Which year?']);
    expect(sessionOf(his)).not.toBe(sessionOf(first));
    const hers = await ask('ada', path, talk);
    expect([textOf(hers), sessionOf(hers)]).toEqual(['1999', sessionOf(first)]);
  });

  test('calls go on for who was told them', async () => {
    const ask = open();
    const first = await ask('ada', path, { ...toBody([said('Go.')]), tools });
    const talk = { ...toBody([said('Go.'), ...again(first), resultOf(first, 'sunny')]), tools };
    const his = await ask('bob', path, talk);
    expect(his.status).toBe(200);
    expect(sessionOf(his)).not.toBe(sessionOf(first));
    const hers = await ask('ada', path, talk);
    expect([textOf(hers), sessionOf(hers)]).toEqual(['sunny', sessionOf(first)]);
  });
});

test('a response is neither read, nor deleted, nor gone on from, nor are its items', async () => {
  const ask = open();
  const { id, output } = await ask('ada', '/v1/responses', { input: 'Ada is here.', max_tokens: undefined });
  const at = `/v1/responses/${id}`;
  const next = { input: '1999', max_tokens: undefined };
  const replies = [
    await ask('bob', at),
    await ask('bob', `${at}/input_items`),
    await ask('bob', at, undefined, { method: 'DELETE' }),
    await ask('bob', `${at}/cancel`, undefined, { method: 'POST' }),
    await ask('bob', '/v1/responses', { ...next, previous_response_id: id }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 400]);
  expect(JSON.stringify(replies)).not.toContain('Ada is here.');
  const named = [{ type: 'item_reference', id: output[0].id }, said('1999')];
  const his = await ask('bob', '/v1/responses', { ...next, input: named });
  expect(his.output[0].content[0].text).toBe('Which year?');
  expect((await ask('ada', at)).status).toBe(200);
  const hers = await ask('ada', '/v1/responses', { ...next, previous_response_id: id });
  expect(hers.output[0].content[0].text).toBe('1999');
});

test('a thread is gone on with by who began it', async () => {
  const ask = open();
  const first = await ask('ada', '/v1/messages', { messages: [said('Go.')], thread: { type: 'create' } });
  const body = { messages: [said('1999')], thread: { type: 'continue', previous_message_id: first.id } };
  const his = await ask('bob', '/v1/messages', body);
  expect([his.status, his.type]).toEqual([404, 'error']);
  const hers = await ask('ada', '/v1/messages', body);
  expect([hers.status, hers.content.at(-1).text]).toEqual([200, '1999']);
});
