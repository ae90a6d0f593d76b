// The promise: a question is an assistant's message, and the next user's message in that conversation answers it: it goes to the very session that asked.

import { type Agent, type ClientToolSpec, defineTool } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { talkBounds } from '../src/talk/talk-memory.ts';
import { agentOf, lastResult, leadOf } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { requestsOf } from './support/openai-app.ts';
import { clientToolOf, linesOf, TalkClient, talkHouse } from './support/talk-client.ts';

const ask = (question: object) => ({ name: 'ask_user', input: question });

/** Asks a person, and says what it heard. */
function curious(question: object = { question: 'Which year?', choices: ['1999', '2024'] }, more: Partial<Agent> = {}) {
  return agentOf(
    'curious',
    (request) => {
      const answer = lastResult(request);
      return answer ? `The year is ${answer}.` : { text: 'I have begun.', calls: [ask(question)] };
    },
    { ask: 'person', ...more },
  );
}

const lines = (agent: Agent) => requestsOf(agent).map(linesOf);

const hows = [
  { how: 'at once', isStream: false },
  { how: 'in pieces', isStream: true },
] as const;

describe.each(hows)('$how', ({ isStream }) => {
  test('the question stands in a message with its choices, and its answer goes on with the same session', async () => {
    const agent = curious();
    const { app, pauses } = talkHouse([agent]);
    const client = new TalkClient(app, 'curious', { isStream });
    const asked = await client.say('When?');
    expect(asked).toMatchObject({
      text: 'Which year?\n\n- 1999\n- 2024',
      finish: 'stop',
      about: { status: 'needs_user_input' },
    });
    const answered = await client.say('2024');
    expect(answered).toMatchObject({ text: 'The year is 2024.', about: { status: 'completed' } });
    expect(answered.about.session_id).toBe(asked.about.session_id);
    expect(lines(agent)[1]).toEqual([
      'user When?',
      'assistant I have begun.',
      'calls ask_user',
      'result ask_user 2024',
    ]);
    expect(pauses.handles.size).toBe(0);
  });

  test('two levels down, the very one that asked goes on', async () => {
    const child = curious();
    const lead = leadOf('lead', leadOf('middle', child));
    const { app } = talkHouse([lead]);
    const client = new TalkClient(app, 'lead', { isStream });
    await client.say('When?');
    expect((await client.say('1999')).text).toContain('The year is 1999.');
    expect(lines(child).map((said) => said.length)).toEqual([1, 4]);
    expect(requestsOf(lead)).toHaveLength(2);
  });

  test('an answer that is no choice is asked for again, as often as it takes, and no model hears of it', async () => {
    const agent = curious();
    const { app } = talkHouse([agent]);
    const client = new TalkClient(app, 'curious', { isStream });
    const asked = await client.say('When?');
    for (const wrong of ['1066', '']) {
      const again = await client.say(wrong);
      expect(again).toMatchObject({ finish: 'stop', about: { status: 'needs_user_input' } });
      expect(again.text).toMatch(/none of: 1999, 2024\..*Which year\?.*- 1999/s);
      expect(again.about.session_id).toBe(asked.about.session_id);
    }
    expect(requestsOf(agent)).toHaveLength(1);
    expect((await client.say(' 1999\n')).text).toBe('The year is 1999.');
  });

  test('after calls that the client ran, and before others', async () => {
    const weather: ClientToolSpec = clientToolOf('weather');
    const agent = agentOf(
      'lead',
      [
        { calls: [{ name: 'weather' }] },
        { calls: [ask({ question: 'Where?' })] },
        { calls: [{ name: 'weather' }] },
        'Done.',
      ],
      { ask: 'person' },
    );
    const { app, pauses } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools: [weather], isStream });
    const ids = [(await client.say('Go.')).about.session_id];
    const asked = await client.bring(['sunny']);
    expect([asked.text, asked.about.status]).toEqual(['Where?', 'needs_user_input']);
    const calls = await client.say('In Thebes.');
    const ends = await client.bring(['rainy']);
    expect([calls.finish, ends.text]).toEqual(['tool_calls', 'Done.']);
    ids.push(...[asked, calls, ends].map(({ about }) => about.session_id));
    expect(new Set(ids).size).toBe(1);
    expect(lines(agent)[3]).toEqual([
      'user Go.',
      'calls weather',
      'result weather sunny',
      'calls ask_user',
      'result ask_user In Thebes.',
      'calls weather',
      'result weather rainy',
    ]);
    expect(pauses.handles.size).toBe(0);
  });

  test('beside calls for the client in one turn: first the question, then the calls', async () => {
    const weather = clientToolOf('weather');
    const agent = agentOf('lead', [{ calls: [{ name: 'weather' }, ask({ question: 'Where?' })] }, 'Done.'], {
      ask: 'person',
    });
    const { app } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools: [weather], isStream });
    expect((await client.say('Go.')).text).toBe('Where?');
    expect((await client.say('Thebes')).calls.map(({ name }) => name)).toEqual(['weather']);
    expect((await client.bring(['sunny'])).text).toBe('Done.');
    expect(lines(agent)[1]).toEqual([
      'user Go.',
      'calls weather',
      'calls ask_user',
      'result weather sunny',
      'result ask_user Thebes',
    ]);
  });
});

test('data is asked for with its schema, and taken as its JSON', async () => {
  const schema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] };
  const agent = curious({ question: 'Which year?', schema });
  const { app } = talkHouse([agent]);
  const client = new TalkClient(app, 'curious');
  expect((await client.say('When?')).text).toBe(`Which year?\n\nAnswer with JSON that fits: ${JSON.stringify(schema)}`);
  expect((await client.say('{"year":"x"}')).about.status).toBe('needs_user_input');
  expect((await client.say('{"year":1999}')).text).toBe('The year is {"year":1999}.');
});

test('leave for a tool is given, or not, in words', async () => {
  let dropped = 0;
  const drop = defineTool({
    name: 'drop',
    inputSchema: { type: 'object' },
    needsApproval: true,
    execute: () => `${++dropped}`,
  });
  const agent = agentOf(
    'careful',
    (request) => lastResult(request) ?? { calls: [{ name: 'drop', input: { table: 'users' } }] },
    {
      tools: [drop],
    },
  );
  const { app } = talkHouse([agent]);
  const client = new TalkClient(app, 'careful');
  const asked = await client.say('Go.');
  expect(asked.text).toMatch(/drop.*users/s);
  expect((await client.say('perhaps')).text).toMatch(/yes or no/);
  expect([(await client.say('Yes')).text, dropped]).toEqual(['1', 1]);
  const other = new TalkClient(app, 'careful');
  await other.say('Go.');
  expect([(await other.say('no')).text, dropped]).toEqual([expect.stringContaining('did not approve'), 1]);
});

describe('which conversation it is', () => {
  /** Asks, does something else, and gives the answer. */
  async function answeredBy(change: (client: TalkClient) => TalkClient, answer = '1999') {
    const agent = curious();
    const house = talkHouse([agent, { ...agent, name: 'other' }], { keys: true });
    const client = new TalkClient(house.app, 'curious', { key: 'one' });
    const asked = await client.say('When?');
    const answered = await change(client).say(answer);
    return { ...house, agent, asked, answered, client, isSame: asked.about.session_id === answered.about.session_id };
  }

  const unchanged: Readonly<Record<string, (client: TalkClient) => TalkClient>> = {
    'as it was': (client) => client,
    'with other blanks': (client) => {
      for (const message of client.said) message.content = `\n${message.content.replaceAll('\n\n', '\n')} `;
      return client;
    },
    'as parts of text': (client) => {
      for (const message of client.said) message.content = [{ type: 'text', text: message.content }];
      return client;
    },
    'with another system prompt': (client) => client.elsewhere({ system: 'It is noon now.' }),
    'in pieces after it was asked at once': (client) => client.elsewhere({ isStream: true }),
  };
  test.each(Object.entries(unchanged))('the same one: %s', async (_, change) => {
    const { isSame, answered } = await answeredBy(change);
    expect([isSame, answered.text]).toEqual([true, 'The year is 1999.']);
  });

  const changed: Readonly<Record<string, (client: TalkClient) => TalkClient>> = {
    'another key': (client) => client.elsewhere({ key: 'two' }),
    'another agent': (client) => client.elsewhere({ agent: 'other' }),
    'other words before it': (client) => {
      client.said[0].content = 'When, then?';
      return client;
    },
    'another question': (client) => {
      client.said[1].content = 'Which century?';
      return client;
    },
    'a message less': (client) => {
      client.said.shift();
      return client;
    },
  };
  test.each(Object.entries(changed))('another one, with all that was said: %s', async (_, change) => {
    const { isSame, answered, agent, pauses } = await answeredBy(change);
    expect(isSame).toBe(false);
    // It asks by itself, and knows what was said.
    expect(answered.about.status).toBe('needs_user_input');
    expect(lines(agent)[1]?.at(-1)).toBe('user 1999');
    expect(lines(agent)[1]?.length).toBeGreaterThan(1);
    expect(pauses.handles.size).toBe(2);
  });

  test('two that are alike to the letter: the last that asked is answered', async () => {
    const { app, agent, client, asked } = await answeredBy((one) => one);
    const again = new TalkClient(app, 'curious', { key: 'one' });
    const second = await again.say('When?');
    expect(second.about.session_id).not.toBe(asked.about.session_id);
    expect((await again.say('2024')).about.session_id).toBe(second.about.session_id);
    expect([requestsOf(agent).length, client.said.length]).toEqual([4, 4]);
  });

  test('an answer that comes twice is answered twice, and only the first goes on', async () => {
    const { answered, client, isSame } = await answeredBy((one) => one);
    const [question] = client.said.slice(1, 2);
    expect([isSame, question.role, answered.text]).toEqual([true, 'assistant', 'The year is 1999.']);
    client.said.length = 2;
    const twice = await client.say('1999');
    expect(twice.about.session_id).not.toBe(answered.about.session_id);
  });

  test('of two who answer at once one goes on, and the other is answered all the same', async () => {
    const { app } = talkHouse([curious()]);
    const client = new TalkClient(app, 'curious');
    const asked = await client.say('When?');
    const both = await Promise.all([client, client.elsewhere()].map((one) => one.say('1999')));
    expect(both.filter(({ about }) => about.session_id === asked.about.session_id)).toHaveLength(1);
    expect(both.map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  test('after a day nobody knows it any more', async () => {
    const { isSame } = await (async () => {
      const agent = curious();
      const { app, clock } = talkHouse([agent]);
      const client = new TalkClient(app, 'curious');
      const asked = await client.say('When?');
      clock.advance(talkBounds.questionsForMs);
      const answered = await client.say('1999');
      return { isSame: asked.about.session_id === answered.about.session_id };
    })();
    expect(isSame).toBe(false);
  });

  test('a conversation that went on after the question is not at the question', async () => {
    const { client, answered } = await answeredBy((one) => one);
    const next = await client.say('And 2024?');
    expect(next.about.session_id).not.toBe(answered.about.session_id);
  });
});

test('where more was written than the question, all of it is the message that it follows', async () => {
  const long = 'This is what I found so far. '.repeat(30).trim();
  const agent = agentOf(
    'curious',
    (request) => lastResult(request) ?? { reasoning: 'Hm.', text: long, calls: [ask({ question: 'Which year?' })] },
    { ask: 'person' },
  );
  const { events, message } = anthropicApp([agent]);
  const user = (content: string) => ({ role: 'user', content });
  const heard = await events({ messages: [user('When?')] });
  const blocks = new Map<number, { type: string; text: string; thinking: string }>();
  for (const { index, content_block: block, delta } of heard) {
    if (block) blocks.set(index, { ...block });
    const open = blocks.get(index);
    if (open && delta) Object.assign(open, { text: `${open.text ?? ''}${delta.text ?? ''}` });
  }
  const said = [...blocks.values()].filter(({ type }) => type === 'text').map(({ text }) => ({ type: 'text', text }));
  expect(said.map(({ text }) => text).join('')).toBe(`${long}\n\nWhich year?`);
  // However the client cuts it into blocks, and whatever blanks it leaves of it.
  const content = [
    { type: 'text', text: long },
    { type: 'thinking', thinking: 'Hm.', signature: 'x' },
    { type: 'text', text: 'Which year?' },
  ];
  const answered = await message({ messages: [user('When?'), { role: 'assistant', content }, user('1999')] });
  expect(answered.content.at(-1).text).toBe('1999');
  expect(answered.ai_agent.session_id).toBe(heard.find(({ type }) => type === 'message_delta').ai_agent.session_id);
});
