// The promise: what Codex CLI, opencode and Claude Code send is understood: they run their tools for an agent, and it goes on where it was.

import { type Agent, asTool, type Message, type ModelRequest, type ToolOffer } from '@ai-agent/core';
import { fakePorts, type Step } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { anthropic, createApp, Hall, openai } from '../src/index.ts';
import { failuresByClass } from './contract/failures.ts';
import { agentOf, lastResult } from './contract/people.ts';
import {
  claudeHeaders,
  claudeNotes,
  claudePrompt,
  claudeRequest,
  claudeResult,
  claudeTool,
  claudeTools,
  codexBeginning,
  codexHeaders,
  codexMessage,
  codexOutput,
  codexRequest,
  opencodeChat,
  opencodeMessages,
  opencodeResponses,
} from './support/coding-requests.ts';
import { requestsOf } from './support/openai-app.ts';
import { rawEvents } from './support/sse-events.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;

/** A server with one agent that has another as its tool. Its model says these things, one after the other. */
function house(script: readonly (Step | string)[], more: Partial<Agent> = {}) {
  const helper = agentOf('helper', () => 'seven');
  const coder = agentOf('coder', script, { tools: [asTool(helper) as ToolOffer], ...more });
  return { post: serve([coder]), coder, helper };
}

function serve(agents: readonly Agent[]) {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => served, ports: fakePorts() });
  const app = createApp(hall, [openai(), anthropic()]);
  /** Every event of the reply. */
  return async (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Read[]> => {
    const response = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    expect([response.status, response.status === 200 ? '' : await response.text()]).toEqual([200, '']);
    const events: Read[] = [];
    for await (const { data } of rawEvents(response.body as unknown as AsyncIterable<Uint8Array>))
      if (data !== '[DONE]') events.push(JSON.parse(data));
    return events;
  };
}

const helps: Step = { calls: [{ name: 'agent__helper', input: { text: 'Which?', reason: 'To know' } }] };
const calls = (name: string, input: object): Step => ({ calls: [{ name, input }] });

const namesOf = ({ tools }: ModelRequest) => tools.map(({ name }) => name);
const filesIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => {
    if (message.role === 'tool') return message.content.flatMap(({ files = [] }) => files);
    return message.role === 'user' ? message.content.filter(({ type }) => type === 'file') : [];
  });

describe('Codex CLI', () => {
  const path = '/v1/responses';
  const ask = [...codexBeginning, codexMessage('user', 'Count the files.')];
  /** What it reads: the items that are done, and how it ended. */
  const read = (events: readonly Read[]) => ({
    items: events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : [])),
    last: events.at(-1),
  });

  test('it runs a command, the agent asks its own, and goes on with what it knew', async () => {
    const { post, coder, helper } = house([calls('exec_command', { cmd: 'ls' }), helps, 'Seven files.']);
    const body = codexRequest(ask);
    expect(JSON.stringify(body).length).toBeGreaterThan(35_000);
    const first = read(await post(path, body, codexHeaders));
    expect(first.last).toMatchObject({ type: 'response.completed', response: { tools: body.tools, store: false } });
    const [call] = first.items;
    expect(call).toMatchObject({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}' });
    expect(call).not.toHaveProperty('namespace');
    const input = [...ask, call, codexOutput(call.call_id, 'Exit code: 0\nOutput:\na b c')];
    const second = read(await post(path, codexRequest(input), codexHeaders));
    expect(second.items).toMatchObject([{ type: 'message', content: [{ type: 'output_text', text: 'Seven files.' }] }]);
    expect(second.last.response.ai_agent.session_id).toBe(first.last.response.ai_agent.session_id);
    const [asked, resumed] = requestsOf(coder);
    expect(asked?.system).toMatch(/^You are coder\..*You are a coding client\..*<skills>.*<permissions>/s);
    expect(asked?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
    expect(resumed && lastResult(resumed)).toContain('a b c');
    expect(requestsOf(helper)).toHaveLength(1);
  });

  test('what nobody here can run is left out, all else is offered, and called back as it was sent', async () => {
    const { post, coder } = house([
      {
        calls: [
          { name: 'look', input: { q: 'x' } },
          { name: 'apply_patch', input: { input: '*** Begin Patch\n' } },
        ],
      },
      'Done.',
    ]);
    const { items } = read(await post(path, codexRequest(ask)));
    expect(items).toMatchObject([
      { type: 'function_call', name: 'look', namespace: 'mcp__notes', arguments: '{"q":"x"}' },
      { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch\n' },
    ]);
    const results = [
      codexOutput(items[0].call_id, [
        { type: 'input_text', text: 'Wall time: 0 s' },
        { type: 'input_text', text: 'A note.' },
      ]),
      codexOutput(items[1].call_id, 'Exit code: 0', 'custom_tool_call_output'),
    ];
    await post(path, codexRequest([...ask, ...items, ...results]));
    const [first, second] = requestsOf(coder);
    const names = ['exec_command', 'write_stdin', 'view_image', 'update_goal', 'spawn_agent', 'wait_agent', 'look'];
    expect(first && namesOf(first)).toEqual(['agent__helper', ...names, 'apply_patch']);
    expect(second?.messages.at(-1)).toMatchObject({
      content: [{ text: expect.stringContaining('Wall time: 0 s\nA note.') }, { text: 'Exit code: 0' }],
    });
  });

  test('a result may be a picture alone', async () => {
    const { post, coder } = house([calls('view_image', { path: 'a.png' }), 'It is red.']);
    const { items } = read(await post(path, codexRequest(ask)));
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'high' };
    await post(path, codexRequest([...ask, ...items, codexOutput(items[0].call_id, [picture])]));
    expect(filesIn(requestsOf(coder)[1]?.messages ?? [])).toMatchObject([{ mediaType: 'image/png', data: 'aGk=' }]);
  });

  test('what was thought comes back as it was sent, rules come late, and unknown items are passed over', async () => {
    const { post, coder } = house([{ reasoning: 'Hm.', text: 'One.' }, 'Two.']);
    const { items } = read(await post(path, codexRequest(ask)));
    expect(items.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    const tools = [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec', format: null }] }];
    const input = [
      { type: 'additional_tools', id: 'at_1', role: 'developer', tools },
      ...ask,
      { ...items[0], content: null, encrypted_content: null },
      items[1],
      codexMessage('developer', 'Compacted.'),
      { type: 'of_tomorrow', id: 'x_1' },
      codexMessage('user', 'And now?'),
    ];
    const more = { tools: undefined, text: { verbosity: 'low' }, reasoning: { effort: 'low', context: 'all_turns' } };
    expect(read(await post(path, codexRequest(input, more))).last.type).toBe('response.completed');
    const second = requestsOf(coder)[1];
    expect(second && namesOf(second)).toEqual(['agent__helper', 'exec']);
    const told = second?.messages.slice(2).map(({ content }: Read) => content.map(({ text }: Read) => text).join('|'));
    expect(told).toEqual(['One.', 'Compacted.', 'And now?']);
  });

  test('a form for the answer', async () => {
    const { post } = house(['{"files":7}']);
    const schema = { type: 'object', properties: { files: { type: 'number' } }, required: ['files'] };
    const text = { format: { type: 'json_schema', strict: true, name: 'codex_output_schema', schema } };
    const { items } = read(await post(path, codexRequest(ask, { text })));
    expect(items[0].content[0].text).toBe('{"files":7}');
  });

  /** It asks again at every code but one, and each time it would be a whole run. */
  const codes = {
    auth: 'invalid_prompt',
    budget: 'invalid_prompt',
    network: 'server_error',
    rate_limit: 'rate_limit_exceeded',
  };

  test.each(Object.entries(codes))('a run that failed (%s) ends the stream with %s', async (kind, code) => {
    const failing = failuresByClass[kind as keyof typeof codes]();
    const events = await serve([failing])(path, codexRequest(ask, { model: 'fails' }));
    const type = code === 'invalid_prompt' ? expect.stringMatching(/^(?!server)/) : 'server_error';
    expect(events.at(-2)).toMatchObject({ type: 'error', error: { type } });
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { code } } });
  });
});

describe('Claude Code', () => {
  const path = '/v1/messages?beta=true';
  const [noteFirst, noteLater] = claudeNotes;
  const prompt = claudePrompt('Count the files.');
  /** What it keeps: the blocks, with their input read, and how it ended. */
  const read = (events: readonly Read[]) => {
    const blocks = events.flatMap(({ type, content_block: block, index }) => {
      if (type !== 'content_block_start') return [];
      const deltas = events.flatMap((event) =>
        event.type === 'content_block_delta' && event.index === index ? [event.delta] : [],
      );
      const json = deltas.map(({ partial_json: part = '' }) => part).join('');
      const text = deltas.map(({ text: part = '' }) => part).join('');
      return [block.type === 'tool_use' ? { ...block, input: JSON.parse(json) } : { ...block, text }];
    });
    return { blocks, end: events.find(({ type }) => type === 'message_delta') };
  };

  test('forty tools and the last word to the system: it runs a command, and the agent goes on with what it knew', async () => {
    const { post, coder, helper } = house([calls('Bash', { command: 'ls' }), helps, 'Seven files.']);
    const body = claudeRequest([prompt, noteFirst]);
    expect(claudeTools).toHaveLength(40);
    expect(JSON.stringify(body).length).toBeGreaterThan(80_000);
    const first = read(await post(path, body, claudeHeaders));
    expect(first.end.delta.stop_reason).toBe('tool_use');
    const [use] = first.blocks;
    const messages = [prompt, noteLater, { role: 'assistant', content: [use] }, claudeResult(use.id, 'a b c')];
    const second = read(await post(path, claudeRequest(messages), claudeHeaders));
    expect([second.blocks[0].text, second.end.delta.stop_reason]).toEqual(['Seven files.', 'end_turn']);
    expect(second.end.ai_agent.session_id).toBe(first.end.ai_agent.session_id);
    expect(requestsOf(helper)).toHaveLength(1);
    const [asked] = requestsOf(coder);
    expect(asked?.tools).toHaveLength(41);
    expect(asked?.system).not.toContain('billing');
  });

  test('tools that it found for the agent can be called in the same session', async () => {
    const { post, coder, helper } = house([
      helps,
      calls('ToolSearch', { query: 'select:mcp__notes__look' }),
      calls('mcp__notes__look', { q: 'x' }),
      'A note.',
    ]);
    const said: Read[] = [prompt, noteFirst];
    const found = claudeTool('mcp__notes__look', ['q'], { defer_loading: true });
    const tools = [...claudeTools, found];
    const sessions: string[] = [];
    for (const [content, more] of [
      [undefined, {}],
      [[{ type: 'tool_reference', tool_name: 'mcp__notes__look' }], { tools }],
      [[{ type: 'text', text: 'It says so.' }], { tools }],
    ] as const) {
      if (content) said.push(claudeResult(said.at(-1)?.content.at(-1).id, content));
      const { blocks, end } = read(await post(path, claudeRequest(said, more), claudeHeaders));
      said.push({ role: 'assistant', content: blocks });
      sessions.push(end.ai_agent.session_id);
    }
    expect(said.at(-1)?.content[0].text).toBe('A note.');
    expect(new Set(sessions).size).toBe(1);
    expect(requestsOf(helper)).toHaveLength(1);
    expect(requestsOf(coder).map((request) => namesOf(request).includes('mcp__notes__look'))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test('what it says after the results is heard, also when they were brought before', async () => {
    const { post, coder } = house([calls('Bash', { command: 'ls' }), 'Seven files.', 'In short: seven.']);
    const { blocks } = read(await post(path, claudeRequest([prompt, noteFirst])));
    const assistant = { role: 'assistant', content: blocks };
    await post(path, claudeRequest([prompt, noteLater, assistant, claudeResult(blocks[0].id, 'a b c')]));
    const compact = claudeResult(blocks[0].id, 'a b c', { type: 'text', text: 'Say it in short.' });
    const { blocks: last } = read(await post(path, claudeRequest([prompt, noteLater, assistant, compact])));
    expect(last[0].text).toBe('In short: seven.');
    const heard = JSON.stringify(requestsOf(coder)[2]?.messages.slice(-2));
    expect(heard).toMatch(/a b c.*Say it in short\./);
  });

  test('a name for the conversation, in a form', async () => {
    const { post, coder } = house(['{"title":"Files"}']);
    const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    const more = {
      tools: [],
      thinking: undefined,
      output_config: { effort: 'high', format: { type: 'json_schema', schema } },
    };
    const { blocks } = read(await post(path, claudeRequest([prompt], more), claudeHeaders));
    expect(blocks[0].text).toBe('{"title":"Files"}');
    expect(requestsOf(coder)).toHaveLength(1);
  });

  test('a choice is found among all that it tells beside it', async () => {
    const question = { question: 'Which?', choices: ['red', 'blue'] };
    const { post, coder } = house([calls('ask_user', question), 'So be it.'], { ask: 'caller' });
    const asked = read(await post(path, claudeRequest([prompt, noteFirst]))).blocks;
    const answer = { role: 'user', content: [{ type: 'text', text: 'blue' }] };
    const aside = { role: 'system', content: 'Some tools are gone.' };
    const messages = [prompt, noteLater, { role: 'assistant', content: asked }, answer, aside];
    expect(read(await post(path, claudeRequest(messages))).blocks[0].text).toBe('So be it.');
    expect(requestsOf(coder)[1]?.messages.at(-1)).toMatchObject({ content: [{ text: 'blue' }] });
  });
});

describe('opencode', () => {
  test('chat completions: a picture that a tool has read comes after its result', async () => {
    const { post, coder, helper } = house([helps, calls('bash', { command: 'see' }), 'It is red.']);
    const prompt = { role: 'user', content: 'What is in it?' };
    const first = await post('/v1/chat/completions', opencodeChat([prompt]));
    const deltas = first.flatMap(({ choices: [choice] }) => choice?.delta.tool_calls ?? []);
    const id: string = deltas[0].id;
    const call = { id, type: 'function', function: { name: 'bash', arguments: '{"command":"see"}' } };
    const url = 'data:image/png;base64,aGk=';
    const second = await post(
      '/v1/chat/completions',
      opencodeChat([
        prompt,
        { role: 'assistant', content: '', reasoning_content: 'Hm.', tool_calls: [call] },
        { role: 'tool', tool_call_id: id, content: 'Image read' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Attached:' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ]),
    );
    const text = second.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('');
    expect(text).toBe('It is red.');
    expect(second.at(-1).usage).toBeDefined();
    expect(requestsOf(helper)).toHaveLength(1);
    const heard = requestsOf(coder)[2]?.messages ?? [];
    expect(filesIn(heard)).toMatchObject([{ mediaType: 'image/png', data: 'aGk=' }]);
    expect(JSON.stringify(heard)).toMatch(/Image read.*Attached:/);
  });

  test('responses: items without a type or an id', async () => {
    const { post, coder } = house([calls('bash', { command: 'ls' }), 'Seven.']);
    const prompt = { role: 'user', content: [{ type: 'input_text', text: 'Count.' }] };
    const events = await post('/v1/responses', opencodeResponses([prompt]));
    const { call_id } = events.at(-1).response.output[0];
    const call = { type: 'function_call', call_id, name: 'bash', arguments: '{"command":"ls"}' };
    const output = { type: 'function_call_output', call_id, output: 'a b c' };
    const last = (await post('/v1/responses', opencodeResponses([prompt, call, output]))).at(-1);
    expect(last.response.output[0].content[0].text).toBe('Seven.');
    const [, resumed] = requestsOf(coder);
    expect(resumed && lastResult(resumed)).toContain('a b c');
  });

  test('messages: cache control on every block', async () => {
    const { post, coder } = house([calls('bash', { command: 'ls' }), 'Seven.']);
    const prompt = { role: 'user', content: [{ type: 'text', text: 'Count.' }] };
    const events = await post('/v1/messages', opencodeMessages([prompt]));
    const { content_block: use } = events.find(({ type }) => type === 'content_block_start');
    const assistant = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: use.id, name: 'bash', input: {}, cache_control: { type: 'ephemeral' } }],
    };
    const last = await post('/v1/messages', opencodeMessages([prompt, assistant, claudeResult(use.id, 'a b c')]));
    expect(JSON.stringify(last)).toContain('Seven.');
    const [, resumed] = requestsOf(coder);
    expect(resumed && lastResult(resumed)).toContain('a b c');
  });
});
