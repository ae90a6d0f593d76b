// The promise: a request to an agent as a model may name an earlier session of its own, in the header or in `ai_agent`: what is new
// of it is said there, whichever API it is, and nobody else can.

import { type Agent, asTool, type ToolOffer } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { anthropic, createApp, Hall, hashOf, Keys, openai } from '../src/index.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { requestsOf } from './support/openai-app.ts';
import { linesOf } from './support/talk-client.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;

interface Api {
  readonly name: string;
  readonly path: string;
  toBody(said: readonly object[]): object;
  textOf(body: Read): string;
  readonly tools: readonly object[];
  /** The conversation from the call on, with its result. */
  toResult(body: Read, result: string): readonly object[];
}

const schema = { type: 'object', properties: {} };

const apis: readonly Api[] = [
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    toBody: (messages) => ({ messages }),
    textOf: ({ choices }) => choices[0].message.content,
    tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
    toResult: ({ choices: [{ message }] }, content) => [
      message,
      { role: 'tool', tool_call_id: message.tool_calls[0].id, content },
    ],
  },
  {
    name: 'responses',
    path: '/v1/responses',
    toBody: (input) => ({ input }),
    textOf: ({ output }) => output.at(-1).content[0].text,
    tools: [{ type: 'function', name: 'weather', parameters: schema }],
    toResult: ({ output: [call] }, output) => [call, { type: 'function_call_output', call_id: call.call_id, output }],
  },
  {
    name: 'messages',
    path: '/v1/messages',
    toBody: (messages) => ({ messages, max_tokens: 100 }),
    textOf: ({ content }) => content.at(-1).text,
    tools: [{ name: 'weather', input_schema: schema }],
    toResult: ({ content: [call] }, result) => [
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: result }] },
    ],
  },
];

const user = (content: string) => ({ role: 'user', content });

function houseOf(agents: readonly Agent[]) {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const clock = new FakeClock();
  const hall = new Hall({ agents: () => served, ports: fakePorts({ clock }) });
  const keys = new Keys({ ann: { hash: hashOf('ann') }, bob: { hash: hashOf('bob') } }, clock);
  const app = createApp(hall, [openai(), anthropic()], { keys });
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    Promise.resolve(
      app.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer ann', ...headers },
        body: JSON.stringify({ model: agents[0]?.name, ...body }),
      }),
    );
  return { hall, post };
}

const heard = (agent: Agent, at = -1) => linesOf(requestsOf(agent).at(at) ?? { messages: [] });

describe.each(apis)('$name', ({ path, toBody, textOf, tools, toResult }) => {
  test.each(['the field', 'the header'])(
    'what is new is said after all that was said there, named by %s',
    async (how) => {
      const child = agentOf('child', ['Found.']);
      const lead = agentOf(
        'lead',
        (request) => (lastResult(request) ? 'Hello Ann.' : toCall(request.messages.length)),
        {
          tools: [asTool(child) as ToolOffer],
        },
      );
      const { post } = houseOf([lead]);
      const first: Read = await (await post(path, toBody([user('I am Ann.')]))).json();
      const session = first.ai_agent.session_id;
      const [more, headers] =
        how === 'the field' ? [{ ai_agent: { session } }, {}] : [{}, { 'x-ai-agent-session': session }];
      const reply = await post(path, { ...toBody([user('Who am I?')]), ...more }, headers);
      const next: Read = await reply.json();
      expect([textOf(next), next.ai_agent.session_id]).toEqual(['Ann.', session]);
      expect(reply.headers.get('x-ai-agent-session')).toBe(session);
      expect(heard(lead)).toEqual([
        'user I am Ann.',
        'calls child',
        expect.stringContaining('Found.'),
        'assistant Hello Ann.',
        'user Who am I?',
      ]);
      expect(requestsOf(child)).toHaveLength(1);
    },
  );

  function toCall(said: number) {
    return said > 3 ? 'Ann.' : { calls: [{ name: 'child', input: { text: 'go', reason: 'r' } }] };
  }

  test('who sends all of it again says what comes after the last reply, and nothing twice', async () => {
    const agent = agentOf('lead', ['One.', 'Two.']);
    const { post } = houseOf([agent]);
    const { ai_agent: about }: Read = await (await post(path, toBody([user('Go.')]))).json();
    const said = [user('Go.'), { role: 'assistant', content: 'One.' }, user('And'), user('on?')];
    const next = await post(path, { ...toBody(said), ai_agent: { session: about.session_id } });
    expect(textOf(await next.json())).toBe('Two.');
    expect(heard(agent).map((line) => line.replaceAll('\n', ' '))).toEqual(
      path === '/v1/messages'
        ? ['user Go.', 'assistant One.', 'user And  on?']
        : ['user Go.', 'assistant One.', 'user And', 'user on?'],
    );
  });

  test('a question that is open is answered, asked again where it must be', async () => {
    const ask = { name: 'ask_user', input: { question: 'Which year?', choices: ['1999', '2024'] } };
    const agent = agentOf('lead', (request) => lastResult(request) ?? { calls: [ask] }, { ask: 'person' });
    const { post } = houseOf([agent]);
    const { ai_agent: about }: Read = await (await post(path, toBody([user('When?')]))).json();
    const say = async (content: string): Promise<Read> =>
      (await post(path, { ...toBody([user(content)]), ai_agent: { session: about.session_id } })).json();
    const again = await say('1066');
    expect([again.ai_agent.status, again.ai_agent.session_id]).toEqual(['needs_user_input', about.session_id]);
    expect(textOf(again)).toMatch(/none of: 1999, 2024.*Which year\?/s);
    const answered = await say('1999');
    expect([textOf(answered), answered.ai_agent.session_id]).toEqual(['1999', about.session_id]);
    expect(requestsOf(agent)).toHaveLength(2);
  });

  test('results of its calls go on with it, and with no other; a message in their place is heard without the calls', async () => {
    const agent = agentOf('lead', (request) => {
      const last = heardIn(request);
      return last.startsWith('user Go') ? { calls: [{ name: 'weather' }] } : `Heard ${last}.`;
    });
    const heardIn = (request: Parameters<typeof linesOf>[0]) => linesOf(request).at(-1) ?? '';
    const { post } = houseOf([agent]);
    const ask = async () => (await post(path, { ...toBody([user('Go.')]), tools })).json() as Promise<Read>;
    const [one, other] = [await ask(), await ask()];
    const results = (session: string) =>
      post(path, { ...toBody(toResult(one, 'sunny')), tools, ai_agent: { session } });
    const wrong = await results(other.ai_agent.session_id);
    expect([wrong.status, ((await wrong.json()) as Read).error.ai_agent.code]).toEqual([409, 'question-unknown']);
    const right: Read = await (await results(one.ai_agent.session_id)).json();
    expect([textOf(right), right.ai_agent.session_id]).toEqual([
      'Heard result weather sunny.',
      one.ai_agent.session_id,
    ]);
    const named = { ai_agent: { session: other.ai_agent.session_id } };
    const further: Read = await (await post(path, { ...toBody([user('Never mind.')]), tools, ...named })).json();
    expect([textOf(further), further.ai_agent.session_id]).toEqual([
      'Heard user Never mind..',
      other.ai_agent.session_id,
    ]);
  });

  test('one that is not there, or of another key or user, is none; one of another agent is refused, and one at work is busy', async () => {
    const gate = Promise.withResolvers<void>();
    const agent = agentOf('lead', (_, turn) => (turn === 1 ? 'Hello.' : { text: 'Done.', until: gate.promise }));
    const { post } = houseOf([agent, { ...agent, name: 'other' }]);
    const { ai_agent: about }: Read = await (await post(path, toBody([user('Go.')]))).json();
    const session = about.session_id;
    const say = (more: object = {}, headers = {}) =>
      post(path, { ...toBody([user('On.')]), ai_agent: { session }, ...more }, headers);
    const refused = await Promise.all([
      say({ ai_agent: { session: 'nobody' } }),
      say({ ai_agent: { session: '../etc' } }),
      say({}, { authorization: 'Bearer bob' }),
      say({}, { 'x-ai-agent-user': 'somebody' }),
    ]);
    for (const reply of refused) {
      const { error }: Read = await reply.json();
      expect([reply.status, error.ai_agent.code]).toEqual([404, 'session-unknown']);
      expect(error.type).toBe(path === '/v1/messages' ? 'not_found_error' : 'invalid_request_error');
    }
    const other = await say({ model: 'other' });
    expect([other.status, ((await other.json()) as Read).error.ai_agent.code]).toEqual([400, 'request-invalid']);
    const running = say();
    await expect.poll(() => requestsOf(agent).length).toBe(2);
    const busy = await say();
    expect([busy.status, ((await busy.json()) as Read).error.ai_agent.code]).toEqual([409, 'session-busy']);
    gate.resolve();
    expect(textOf(await (await running).json())).toBe('Done.');
  });

  test('what is not known of it is refused, with what was meant', async () => {
    const { post } = houseOf([agentOf('lead', ['Hello.'])]);
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{ sesion: 'x' }, /ai_agent: sesion is not known here; known are activity, session\. Did you mean session\?/],
      [{ session: 7 }, /ai_agent\.session: this must be/],
      [{ session: '' }, /ai_agent\.session: this must be/],
      [{ activity: 'yes' }, /ai_agent\.activity: this must be true or false/],
      ['session', /ai_agent: this must be an object/],
    ];
    for (const [extension, message] of wrong) {
      const reply = await post(path, { ...toBody([user('Go.')]), ai_agent: extension });
      const { error }: Read = await reply.json();
      expect([reply.status, error.type, error.message]).toEqual([
        400,
        'invalid_request_error',
        expect.stringMatching(message),
      ]);
    }
    const two = await post(
      path,
      { ...toBody([user('Go.')]), ai_agent: { session: 'a' } },
      { 'x-ai-agent-session': 'b' },
    );
    expect([two.status, ((await two.json()) as Read).error.message]).toEqual([
      400,
      expect.stringContaining('another session'),
    ]);
    const empty = await post(path, toBody([user('Go.')]), { 'x-ai-agent-session': '' });
    expect(empty.status).toBe(400);
    expect((await post(path, { ...toBody([user('Go.')]), ai_agent: null })).status).toBe(200);
  });
});
