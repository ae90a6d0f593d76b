import { defineTool, inProcess, type RuntimeFactory } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, factTypes, nextTick, start, walk } from './support/walk.ts';

const add = defineTool<{ a: number; b: number }>({
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  execute: ({ a, b }) => ({ type: 'json', value: { sum: a + b }, summary: `${a + b}` }),
});

test('a plain prompt is one turn', async () => {
  const { outcome, events } = await walk(agent('hello', ['Hello.']));
  expect(outcome).toMatchObject({ status: 'completed', text: 'Hello.', format: 'text' });
  expect(factTypes(events)).toEqual([
    'session-start',
    'turn-start',
    'model-start',
    'model-end',
    'turn-end',
    'session-end',
  ]);
});

test('a tool call is answered, and the next turn sees the answer', async () => {
  const hello = agent('hello', [{ calls: [{ name: 'add', input: { a: 2, b: 3 } }] }, 'It is 5.'], { tools: [add] });
  const { outcome, events } = await walk(hello);
  expect(outcome).toMatchObject({ status: 'completed', text: 'It is 5.' });
  expect(factTypes(events)).toEqual([
    ...['session-start', 'turn-start', 'model-start', 'model-end', 'tool-start', 'tool-end', 'turn-end'],
    ...['turn-start', 'model-start', 'model-end', 'turn-end', 'session-end'],
  ]);
  expect(hello.model.requests[1]?.messages.at(-1)).toEqual({
    role: 'tool',
    content: [{ type: 'tool-result', id: 'call_1_1', name: 'add', text: '{"sum":5}', isError: false }],
  });
});

test('instructions of tools join the system prompt, after the agent’s own words', async () => {
  const hello = agent('hello', ['ok'], { tools: [{ ...add, instructions: 'Add whole numbers only.' }] });
  await walk(hello);
  const { system } = hello.model.requests[0] ?? { system: '' };
  expect(system.indexOf('You are hello.')).toBe(0);
  expect(system).toContain('Add whole numbers only.');
  expect(system).toContain('data');
});

test('instructions may be rendered when the session opens, and are recorded with it', async () => {
  const hello = agent('hello', ['ok'], { instructions: ({ now, env }) => `It is ${now} for ${env.WHO}.` });
  const { events } = await walk(hello, 'go', { envOverlay: { WHO: 'ann' } });
  expect(events.find((e) => e.type === 'session-start')).toMatchObject({ system: 'It is 1700000000000 for ann.' });
});

test('facts are numbered from one without a gap, and carry every trace field', async () => {
  const { events } = await walk(agent('hello', ['Hello.']));
  const facts = events.filter((e) => e.kind === 'fact');
  expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, i) => i + 1));
  const fields = [
    'originId',
    'parentId',
    'selfId',
    'callPath',
    'turnPath',
    'agentName',
    'agentId',
    'instanceName',
    'toolName',
    'correlationId',
  ];
  for (const { trace } of events) expect(Object.keys(trace).sort()).toEqual(fields.sort());
});

test('an earlier conversation is gone on with', async () => {
  const hello = agent('hello', ['Again.']);
  await walk(hello, 'and now?', {
    history: [
      { role: 'user', content: [{ type: 'text', text: 'first' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'one' }] },
    ],
  });
  expect(hello.model.requests[0]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
});

test('tools of the session stand beside those of the agent', async () => {
  const extra = { ...add, name: 'extra' };
  const hello = agent('hello', ['ok'], { tools: [add] });
  await walk(hello, 'go', { tools: [extra] });
  expect(hello.model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['add', 'extra']);
});

test('settings have defaults, and null takes one away', async () => {
  const hello = agent('hello', ['ok'], { settings: { temperature: null, topP: 0.5 } });
  await walk(hello);
  expect(hello.model.requests[0]?.settings).toEqual({ maxOutputTokens: 16384, topP: 0.5 });
});

test('an operation that waits for a message gets it, sent before or after it waits', async () => {
  for (const isEarly of [true, false]) {
    const heard: unknown[] = [];
    const asking: RuntimeFactory = (workplace) => {
      const inner = inProcess(workplace);
      const ask = async () => heard.push(await inner.do({ type: 'message', name: 'question.1' }));
      return {
        all: inner.all,
        async do(operation, onSettled) {
          if (operation.name === 'open') await ask();
          return inner.do(operation, onSettled);
        },
      };
    };
    const run = start(agent('hello', ['ok']), 'go', { runtime: asking });
    if (!isEarly) await nextTick();
    run.send('s1', 'question.1', 'yes');
    expect((await run.outcome).status).toBe('completed');
    expect(heard).toHaveLength(1);
  }
});
