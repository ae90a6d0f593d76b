// The promise: calls of tools that a client runs end the reply; its results go on with the very session, and with all that was done inside meanwhile.

import { type Agent, asTool, defineTool, type ToolOffer } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agentOf, lastResult, lookUp } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { requestsOf } from './support/openai-app.ts';
import { clientToolOf, linesOf, TalkClient, talkHouse } from './support/talk-client.ts';

const weather = clientToolOf('weather');
const clock = clientToolOf('clock');
const call = (name: string, input: object = {}) => ({ name, input });

const hows = [
  { how: 'at once', isStream: false },
  { how: 'in pieces', isStream: true },
] as const;

describe.each(hows)('$how', ({ isStream }) => {
  test('the call is told with its arguments, and its result is what the model sees next', async () => {
    const agent = agentOf('lead', [
      { text: 'Let me look.', calls: [call('weather', { city: 'Θήβα' })] },
      'Sunny in Thebes.',
    ]);
    const { app } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools: [weather], isStream });
    const asks = await client.say('How is it?');
    expect(asks).toMatchObject({ text: 'Let me look.', finish: 'tool_calls', about: { status: 'needs_client_tools' } });
    expect(asks.calls).toEqual([
      { id: expect.stringMatching(/^call_\w{20,}$/), name: 'weather', input: { city: 'Θήβα' } },
    ]);
    const ends = await client.bring(['sunny']);
    expect(ends).toMatchObject({ text: 'Sunny in Thebes.', finish: 'stop', calls: [], about: { status: 'completed' } });
    expect(ends.about.session_id).toBe(asks.about.session_id);
    expect(requestsOf(agent).map(linesOf)).toEqual([
      ['user How is it?'],
      ['user How is it?', 'assistant Let me look.', 'calls weather', 'result weather sunny'],
    ]);
  });

  test('own tools and sub-agents of the same turn run here, once, and the model hears all of it', async () => {
    const child = agentOf('child', ['the child has seen it']);
    let looked = 0;
    const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => `seen ${++looked}` });
    const agent = agentOf(
      'lead',
      [
        { calls: [call('look'), call('weather'), call('child', { text: 'go', reason: 'r' }), call('clock')] },
        { calls: [call('look')] },
        'All done.',
      ],
      { tools: [look, asTool(child) as ToolOffer] },
    );
    const { app, hall } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools: [weather, clock], isStream });
    const asks = await client.say('Go.');
    expect(asks.calls.map(({ name }) => name)).toEqual(['weather', 'clock']);
    expect([looked, requestsOf(child).length, hall.running]).toEqual([1, 1, 0]);
    expect((await client.bring(['sunny', 'noon'])).text).toBe('All done.');
    expect([looked, requestsOf(child).length]).toEqual([2, 1]);
    const [, heard, last] = requestsOf(agent).map(linesOf);
    expect(heard?.slice(-4)).toEqual([
      'result look seen 1',
      'result weather sunny',
      expect.stringContaining('the child has seen it'),
      'result clock noon',
    ]);
    expect(last?.slice(-1)).toEqual(['result look seen 2']);
  });

  test('what was done before the call, in turns that the client never saw, is still in the conversation', async () => {
    const agent = agentOf('lead', [{ calls: [call('look_up')] }, { calls: [call('weather')] }, 'Both.'], {
      tools: [lookUp],
    });
    const { app } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools: [weather], isStream });
    await client.say('Go.');
    await client.bring(['sunny']);
    expect(linesOf(requestsOf(agent)[2] ?? { messages: [] })).toEqual([
      'user Go.',
      'calls look_up',
      'result look_up forty-two',
      'calls weather',
      'result weather sunny',
    ]);
    expect(JSON.stringify(client.said)).not.toContain('forty-two');
  });

  test('three rounds are one session, and each call is told once', async () => {
    const agent = agentOf('lead', (request, turn) =>
      turn < 4 ? { calls: [call('weather', { day: turn })] } : `The last was ${lastResult(request)}.`,
    );
    const { app, hall, pauses } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools: [weather], isStream });
    const ids = [(await client.say('Go.')).about.session_id];
    const told = [client.last?.calls[0]];
    for (const result of ['first', 'second', 'third']) {
      ids.push((await client.bring([result])).about.session_id);
      told.push(client.last?.calls[0]);
    }
    expect(client.last?.text).toBe('The last was third.');
    expect(new Set(ids).size).toBe(1);
    expect(told.map((one) => one?.input)).toEqual([{ day: 1 }, { day: 2 }, { day: 3 }, undefined]);
    expect(new Set(told.map((one) => one?.id)).size).toBe(4);
    expect(linesOf(requestsOf(agent)[3] ?? { messages: [] }).filter((line) => line.startsWith('result'))).toEqual([
      'result weather first',
      'result weather second',
      'result weather third',
    ]);
    // Nothing waits any more.
    expect([pauses.handles.size, hall.running]).toEqual([0, 0]);
  });
});

test('what is said beside the results comes after them, in the same session', async () => {
  const agent = agentOf('lead', [{ calls: [call('weather')] }, 'In Fahrenheit.']);
  const { app } = talkHouse([agent]);
  const client = new TalkClient(app, 'lead', { tools: [weather] });
  const asks = await client.say('How is it?');
  const ends = await client.bring(['20 C'], 'In Fahrenheit, please.');
  expect([ends.text, ends.about.session_id]).toEqual(['In Fahrenheit.', asks.about.session_id]);
  expect(linesOf(requestsOf(agent)[1] ?? { messages: [] }).slice(-2)).toEqual([
    'result weather 20 C',
    'user In Fahrenheit, please.',
  ]);
});

test('an error at the client is a result, told as one; pictures in results are seen', async () => {
  const agent = agentOf('lead', [{ calls: [call('weather'), call('clock')] }, 'I see.']);
  const { message } = anthropicApp([agent]);
  const tools = [weather, clock].map(({ name, inputSchema }) => ({ name, input_schema: inputSchema }));
  const user = { role: 'user', content: 'Go.' };
  const asks = await message({ messages: [user], tools });
  expect(asks.stop_reason).toBe('tool_use');
  const [first, second] = asks.content;
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
  const results = [
    { type: 'tool_result', tool_use_id: second.id, content: [{ type: 'text', text: 'noon' }, picture] },
    { type: 'tool_result', tool_use_id: first.id, content: 'no such city', is_error: true },
  ];
  const messages = [user, { role: 'assistant', content: asks.content }, { role: 'user', content: results }];
  const ends = await message({ messages, tools });
  expect(ends.ai_agent.session_id).toBe(asks.ai_agent.session_id);
  const heard = requestsOf(agent)[1]?.messages.at(-1);
  expect(heard).toMatchObject({
    role: 'tool',
    content: [
      { name: 'weather', text: 'no such city', isError: true },
      { name: 'clock', text: 'noon', isError: false, files: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }] },
    ],
  });
});

describe('names', () => {
  test("a client's tool gives way to the agent's own of that name, and is still called by the name the client knows", async () => {
    const agent = agentOf(
      'lead',
      ({ tools }, turn) => {
        const names = tools.map(({ name }) => name);
        return turn === 1
          ? { calls: names.filter((name) => name.includes('look_up')).map((name) => call(name)) }
          : 'Done.';
      },
      { tools: [lookUp] },
    );
    const { app } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools: [clientToolOf('look_up')] });
    const { calls } = await client.say('Go.');
    expect(calls.map(({ name }) => name)).toEqual(['look_up']);
    await client.bring(['of the client']);
    expect(linesOf(requestsOf(agent)[1] ?? { messages: [] }).slice(-2)).toEqual([
      'result look_up forty-two',
      'result client__look_up of the client',
    ]);
  });

  test.each([
    ['of the house', ['ask_user', 'tool_output', 'agent__batch', 'task_status']],
    ['that are taken twice', ['client__look_up', 'look_up', 'client__client__look_up']],
    ['that no provider takes', ['mcp.server/read file', 'é'.repeat(80)]],
  ])('names %s harm nobody', async (_, names) => {
    const agent = agentOf(
      'lead',
      ({ tools }, turn) => {
        const clients = tools.filter(({ description }) => description.endsWith('at the client'));
        return turn === 1 ? { calls: clients.map(({ name }) => call(name)) } : 'Done.';
      },
      { tools: [lookUp], ask: 'person' },
    );
    const { app } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools: names.map(clientToolOf) });
    const { calls, error } = await client.say('Go.');
    expect(error).toBeUndefined();
    expect(calls.map(({ name }) => name).sort()).toEqual(names.toSorted());
    for (const { name } of requestsOf(agent)[0]?.tools ?? []) expect(name).toMatch(/^[\w-]{1,64}$/);
    expect((await client.bring(names.map(() => 'x'))).text).toBe('Done.');
  });

  test('thousands that are one to every provider keep nobody waiting', async () => {
    const { app } = talkHouse([agentOf('lead', ['Done.'], { tools: [lookUp] })]);
    const signs = [...'!"#$%&()*+,./:;<=>?@'];
    const names = signs.flatMap((one) => signs.flatMap((two) => signs.map((three) => `${one}${two}${three}`)));
    const from = performance.now();
    const client = new TalkClient(app, 'lead', { tools: names.map(clientToolOf) });
    expect((await client.say('Go.')).text).toBe('Done.');
    expect(performance.now() - from).toBeLessThan(10_000);
  });
});

test('a client that drops a tool, or brings another, between two requests is understood', async () => {
  const offered: string[][] = [];
  const agent = agentOf('lead', ({ tools }, turn) => {
    offered.push(tools.map(({ name }) => name));
    return turn === 1 ? { calls: [call('weather')] } : 'Done.';
  });
  const { app } = talkHouse([agent]);
  const client = new TalkClient(app, 'lead', { tools: [weather] });
  const asks = await client.say('Go.');
  const other = client.elsewhere({ tools: [clock] });
  const ends = await other.bring(['sunny']);
  expect([ends.text, ends.about.session_id]).toEqual(['Done.', asks.about.session_id]);
  expect(offered).toEqual([['weather'], ['clock']]);
  const none = client.elsewhere({ tools: [] });
  expect((await none.bring(['sunny'])).text).toBe('Done.');
});

test('what a client brings is for the first agent alone: nobody below is offered it', async () => {
  const child = agentOf('child', ['done']);
  const agent: Agent = agentOf('lead', [{ calls: [call('child', { text: 'go', reason: 'r' })] }, 'Done.'], {
    tools: [asTool(child) as ToolOffer],
  });
  const { app } = talkHouse([agent]);
  await new TalkClient(app, 'lead', { tools: [weather] }).say('Go.');
  expect(requestsOf(child)[0]?.tools).toEqual([]);
});
