// The promise: whoever names a session goes on with it, in a header, in the address or in a body; by its own agent alone, and not while it is at work.

import { defineTool, type ModelRequest } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { MemorySessions } from '../src/index.ts';
import { agentOf, call, lastResult } from './contract/people.ts';
import { gate, hallOf, openHouse, refusal } from './support/house.ts';
import { mcpApp } from './support/mcp-app.ts';
import { saidBy } from './support/said-by.ts';
import { slowStore } from './support/stores.ts';

/** Says all that it was asked. */
const memory = () => agentOf('memory', (request) => saidBy(request).join(' | '));
const other = () => agentOf('other', () => 'Other.');

const stores = [
  ['in memory', () => new MemorySessions()],
  ['slow', () => slowStore()],
] as const;

test.each(stores)('every way of naming it means the same, store %s', async (_name, store) => {
  const house = await openHouse(hallOf([memory()], { store: store() }));
  const first = await house.get('/v1/memory?q=one');
  const id = String(first.headers.get('x-ai-agent-session'));
  expect([first.body, id]).toEqual(['one', 's1']);
  const text = { 'content-type': 'text/plain' };
  const replies = [
    await house.get(`/v1/memory?q=two&session=${id}`),
    await house.get('/v1/memory?q=three', { 'x-ai-agent-session': id }),
    await house.post('/v1/memory', { text: 'four', session: id }),
    await house.post(`/v1/memory?session=${id}`, 'five', { 'x-ai-agent-session': id }),
    await house.wire
      .send('/v1/memory', { method: 'POST', body: 'six', headers: { ...text, 'x-ai-agent-session': id } })
      .then(async ({ headers, status, chunks }) => {
        let body = '';
        for await (const chunk of chunks) body += Buffer.from(chunk).toString();
        return { headers, status, body };
      }),
  ];
  expect(replies.map(({ body }) => body)).toEqual([
    'one | two',
    'one | two | three',
    'one | two | three | four',
    'one | two | three | four | five',
    'one | two | three | four | five | six',
  ]);
  expect(new Set(replies.map(({ headers }) => headers.get('x-ai-agent-session')))).toEqual(new Set([id]));
  const going = await house.post('/v1/sessions', { session: id, input: 'seven' });
  expect([going.status, going.body.id, going.headers.get('x-ai-agent-session')]).toEqual([201, id, id]);
  expect(await house.ended(id)).toMatchObject({
    status: 'completed',
    text: expect.stringMatching(/six \| seven$/),
    rounds: 7,
  });
  expect((await house.get('/v1/sessions')).body.sessions).toHaveLength(1);
});

test('by another agent it is refused, and whose it is is said', async () => {
  const house = await openHouse(hallOf([memory(), other()]));
  await house.get('/v1/memory?q=one');
  for (const wrong of [
    await house.get('/v1/other?q=two&session=s1'),
    await house.post('/v1/sessions', { agent: 'other', session: 's1', input: 'two' }),
  ]) {
    expect(refusal(wrong)).toEqual([400, 'request-invalid']);
    expect(wrong.body.error.message).toBe('The session s1 is one of memory, and other was asked to go on with it.');
  }
  expect(refusal(await house.get('/v1/memory?q=two&session=nobody'))).toEqual([404, 'session-unknown']);
  expect(refusal(await house.get('/v1/memory?q=two&session=s1', { 'x-ai-agent-session': 's2' }))).toEqual([
    400,
    'request-invalid',
  ]);
});

test('while it is at work it is busy; a question is answered by what is said next', async () => {
  const door = gate();
  const busy = agentOf('busy', (_request, turn) => (turn === 1 ? { text: 'Done.', until: door.opened } : 'Again.'));
  const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
  const curious = agentOf('curious', (request) => lastResult(request) ?? asks);
  const house = await openHouse(hallOf([busy, curious]));
  const id = await house.start('busy');
  expect(refusal(await house.get(`/v1/busy?q=more&session=${id}`))).toEqual([409, 'session-busy']);
  expect(refusal(await house.post('/v1/sessions', { session: id, input: 'more' }))).toEqual([409, 'session-busy']);
  door.open();
  await house.heard(id);
  expect((await house.get(`/v1/busy?q=more&session=${id}`)).body).toBe('Again.');
  const asked = await house.get('/v1/curious?q=Go.');
  const session = String(asked.headers.get('x-ai-agent-session'));
  expect(asked.headers.get('x-ai-agent-status')).toBe('needs_user_input');
  expect((await house.post('/v1/curious', { text: '1999', session })).body).toBe('1999');
});

test('as a tool of MCP it is gone on with by resume and what is asked', async () => {
  const app = mcpApp([memory(), other()]);
  for (const client of [await app.older(), await app.newer()]) {
    const ask = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })) as {
        content: { text: string }[];
        isError?: boolean;
        _meta: Record<string, { sessionId: string }>;
      };
    const first = await ask('memory', { text: 'one' });
    const id = String(first._meta['ai-agent/outcome']?.sessionId);
    const second = await ask('memory', { text: 'two', resume: id });
    expect([second.content[0]?.text, second._meta['ai-agent/outcome']?.sessionId]).toEqual(['one | two', id]);
    // The same session through another door.
    const rest = await app.request(`/v1/memory?q=three&session=${id}`);
    expect(await rest.text()).toBe('one | two | three');
    const wrong = await ask('other', { text: 'two', resume: id });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]?.text).toContain(`The session ${id} is one of memory`);
    const { tools } = await client.listTools();
    for (const { inputSchema } of tools) expect(JSON.stringify(inputSchema.properties?.resume)).toContain('go on with');
  }
});

test('what its agent says of calls that were cut off is said in its own words', async () => {
  const began = gate();
  const deaf = defineTool({
    name: 'deaf',
    inputSchema: { type: 'object' },
    execute() {
      began.open();
      return new Promise<string>(() => {});
    },
  });
  const texts = { interruptedCall: 'Unterbrochen.' };
  const results = ({ messages }: ModelRequest) =>
    messages.flatMap((message) => (message.role === 'tool' ? message.content.map(({ text }) => text) : []));
  const caller = () =>
    agentOf('caller', (request) => results(request).join() || call('deaf', {}), { tools: [deaf], texts });
  const store = new MemorySessions();
  const id = await (await openHouse(hallOf([caller()], { store }))).start('caller');
  await began.opened;
  // As a store says it of a process that is gone.
  const head = store.get(id);
  if (!head) throw new TypeError('It is there.');
  store.put({ ...head, status: 'interrupted', endedAt: head.createdAt, facts: store.facts(id, 0).length });
  const after = await openHouse(hallOf([caller()], { store }));
  expect((await after.get(`/v1/caller?q=again&session=${id}`)).body).toBe('Unterbrochen.');
  // The round that was interrupted has called the model once, and its tool.
  expect(store.get(id)?.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 });
});
