// The promise: whoever writes where there are no requests begins runs, goes on with them, answers them once, and has them done again.

import type { Agent, AgentEvent } from '@ai-agent/core';
import { fakePorts, type Script, type ScriptedModel } from '@ai-agent/core/testing';
import { expect, test, vi } from 'vitest';
import { MemorySessions, openDesk } from '../src/index.ts';
import { agentOf, lastResult, lookUp } from './contract/people.ts';
import { gate, hallOf } from './support/house.ts';
import { slowStore } from './support/stores.ts';

const asking = { person: 'T1/U1', onEvent: () => {} };
const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };

function curious(): Agent {
  return agentOf('curious', (request) => lastResult(request) ?? asks, { ask: 'person' });
}

function deskOf(agents: readonly Agent[], more: Parameters<typeof hallOf>[1] = {}) {
  const hall = hallOf(agents, more);
  return { hall, desk: openDesk(hall, { headend: 'slack', key: null }) };
}

function saidTo(agent: Agent, at = -1): string {
  return JSON.stringify((agent.model as ScriptedModel).requests.at(at)?.messages);
}

test('a new one is heard from its beginning, and found as soon as it is told of', async () => {
  const store = new MemorySessions();
  const { desk } = deskOf([agentOf('echo', () => 'Done.')], { store });
  const heard: AgentEvent[] = [];
  const onEvent = (event: AgentEvent) => void heard.push(event);
  const run = await desk.begin({ ...asking, onEvent, agent: 'echo', prompt: 'Go.', title: 'A title' });
  expect(run.head).toMatchObject({ agent: 'echo', owner: null, headend: 'slack', title: 'A title', isDetached: true });
  expect(run.head.user).toBeUndefined();
  expect(store.get(run.head.id)).toBeDefined();
  expect(await run.outcome).toMatchObject({ status: 'completed', text: 'Done.' });
  const facts = heard.filter(({ kind }) => kind === 'fact');
  expect([facts[0]?.type, facts.at(-1)?.type]).toEqual(['session-start', 'session-end']);
  const head = await desk.find(run.head.id);
  expect(head?.status).toBe('completed');
  expect(head && (await desk.facts(head))).toEqual(facts);
  expect(head && (await desk.document(head))).toMatchObject({ text: 'Done.', ledger: {}, tree: {} });
});

test('where the store takes its time, it is told of when others find it there', async () => {
  const [inner, door] = [new MemorySessions(), gate()];
  const held = agentOf('held', () => ({ text: 'Late.', until: door.opened }));
  const { desk } = deskOf([held], { store: slowStore(inner) });
  const { head, outcome } = await desk.begin({ ...asking, agent: 'held', prompt: 'Go.' });
  expect(inner.get(head.id)).toMatchObject({ agent: 'held', headend: 'slack' });
  door.open();
  expect((await outcome).status).toBe('completed');
});

test('a further message is said after what was said before', async () => {
  const echo = agentOf('echo', ({ messages }) => `${messages.length}`);
  const { desk } = deskOf([echo]);
  const first = await desk.begin({ ...asking, agent: 'echo', prompt: 'One.' });
  await first.outcome;
  const { head, outcome } = await desk.begin({ ...asking, session: first.head.id, message: 'Two.' });
  await outcome;
  expect([head.id, head.resumptions]).toEqual([first.head.id, 1]);
  expect(saidTo(echo)).toMatch(/One\..*Two\./);
});

test('files come along with both', async () => {
  const echo = agentOf('echo', () => 'Seen.');
  const { desk } = deskOf([echo]);
  const picture = (data: string) => [{ type: 'file', mediaType: 'image/png', data }] as const;
  const first = await desk.begin({ ...asking, agent: 'echo', prompt: 'Look.', attachments: picture('AAAA') });
  await first.outcome;
  await (await desk.begin({ ...asking, session: first.head.id, message: 'And this?', attachments: picture('BBBB') }))
    .outcome;
  expect(saidTo(echo)).toMatch(/AAAA.*BBBB/);
});

test('an answer is for the round that asked, and the second one is refused', async () => {
  const { desk } = deskOf([curious()]);
  const first = await desk.begin({ ...asking, agent: 'curious', prompt: 'Go.' });
  expect((await first.outcome).status).toBe('needs_user_input');
  const session = first.head.id;
  await expect(desk.begin({ ...asking, session, answer: '1999', round: 1 })).rejects.toMatchObject({
    code: 'question-unknown',
  });
  const answered = await desk.begin({ ...asking, session, answer: '1999', round: 0 });
  expect((await answered.outcome).text).toContain('1999');
  await expect(desk.begin({ ...asking, session, answer: '2024', round: 0 })).rejects.toMatchObject({
    code: 'question-unknown',
  });
});

test('of two answers at once one is taken', async () => {
  const { desk } = deskOf([curious()]);
  const first = await desk.begin({ ...asking, agent: 'curious', prompt: 'Go.' });
  await first.outcome;
  const both = ['1999', '2024'].map((answer) =>
    desk.begin({ ...asking, session: first.head.id, answer, round: 0 }).then(
      ({ outcome }) => outcome.then(({ text }) => text),
      (error) => error.code,
    ),
  );
  expect(await Promise.all(both)).toEqual([expect.stringContaining('1999'), 'question-unknown']);
});

test('a message answers what was asked', async () => {
  const { desk } = deskOf([curious()]);
  const first = await desk.begin({ ...asking, agent: 'curious', prompt: 'Go.' });
  await first.outcome;
  const further = await desk.begin({ ...asking, session: first.head.id, message: 'In 1999.' });
  expect((await further.outcome).text).toContain('In 1999.');
});

test('done again, it is another session with the same words', async () => {
  const echo = agentOf('echo', () => 'Done.');
  const { desk } = deskOf([echo]);
  const first = await desk.begin({ ...asking, agent: 'echo', prompt: 'The same words.' });
  await first.outcome;
  const again = await desk.begin({ ...asking, retry: first.head.id });
  await again.outcome;
  expect(again.head.id).not.toBe(first.head.id);
  expect(again.head).toMatchObject({ headend: 'slack', retryOf: { session: first.head.id } });
  expect(saidTo(echo)).toContain('The same words.');
});

test('stop is a limit and cancel an end; where nothing runs there is nothing to end', async () => {
  const [began, door] = [gate(), gate()];
  const slow = agentOf(
    'slow',
    ({ tools }) => {
      began.open();
      return tools.length === 0 ? 'Summed up.' : { text: 'Late.', until: door.opened };
    },
    { tools: [lookUp] },
  );
  const { desk } = deskOf([slow]);
  const first = await desk.begin({ ...asking, agent: 'slow', prompt: 'Go.' });
  await began.opened;
  expect(await desk.end(first.head.id, 'cancel')).toBe(true);
  expect((await first.outcome).status).toBe('cancelled');
  const second = await desk.begin({ ...asking, agent: 'slow', prompt: 'Go.' });
  await vi.waitFor(() => expect((slow.model as ScriptedModel).requests).toHaveLength(2));
  expect(await desk.end(second.head.id, 'stop')).toBe(true);
  expect((await second.outcome).status).toBe('partial');
  expect(await desk.end(second.head.id, 'stop')).toBe(false);
  expect(await desk.end('nothing-of-the-kind', 'stop')).toBe(false);
});

test('cancelled while it asks, it cannot be answered any more', async () => {
  const { desk } = deskOf([curious()]);
  const { head, outcome } = await desk.begin({ ...asking, agent: 'curious', prompt: 'Go.' });
  await outcome;
  expect(await desk.end(head.id, 'cancel')).toBe(true);
  expect(await desk.find(head.id)).toMatchObject({ status: 'cancelled' });
  expect(await desk.end(head.id, 'cancel')).toBe(false);
  await expect(desk.begin({ ...asking, session: head.id, answer: '1999', round: 0 })).rejects.toMatchObject({
    code: 'question-unknown',
  });
});

test('one that waits for a place is told so at once', async () => {
  const door = gate();
  const slow = agentOf('slow', () => ({ text: 'Late.', until: door.opened }));
  const { desk } = deskOf([slow], { places: { slack: { running: 1, waiting: 1 } } });
  const onWait = vi.fn();
  const ask = () => desk.begin({ ...asking, onWait, agent: 'slow', prompt: 'Go.' });
  const first = await ask();
  expect(onWait).not.toHaveBeenCalled();
  const second = await ask();
  expect(onWait).toHaveBeenCalledTimes(1);
  await expect(ask()).rejects.toMatchObject({ code: 'server-full' });
  door.open();
  expect([(await first.outcome).status, (await second.outcome).status]).toEqual(['completed', 'completed']);
});

test('words go where an agent has one field for them; else it is said what it takes', async () => {
  const taking = (name: string, properties: object, required: readonly string[]) =>
    agentOf(name, () => 'Done.', {
      input: { format: 'json', schema: { type: 'object', properties, required, additionalProperties: false } },
    });
  const text = { type: 'string' };
  const asked = taking('asked', { text, depth: { type: 'integer' } }, ['text']);
  const own = taking('own', { text, company: text }, ['company']);
  const either = taking('either', { text, company: text, topic: text }, []);
  const two = taking('two', { from: text, to: text }, ['from', 'to']);
  const { desk } = deskOf([asked, own, either, two, agentOf('words', () => 'Done.')], { ports: fakePorts() });
  const ask = async (agent: string, prompt: string) => (await desk.begin({ ...asking, agent, prompt })).outcome;
  await ask('asked', 'Some words.');
  expect(saidTo(asked)).toContain('{\\"text\\":\\"Some words.\\"}');
  await ask('own', 'Example Inc.');
  expect(saidTo(own)).toContain('{\\"company\\":\\"Example Inc.\\"}');
  await ask('either', 'Example Inc.');
  expect(saidTo(either)).toContain('{\\"text\\":\\"Example Inc.\\"}');
  await ask('asked', '{"text":"Data.","depth":2}');
  expect(saidTo(asked)).toContain('{\\"text\\":\\"Data.\\",\\"depth\\":2}');
  await expect(ask('two', 'From here to there.')).rejects.toMatchObject({ code: 'session-input-invalid' });
  expect((await ask('two', '{"from":"here","to":"there"}')).status).toBe('completed');
});

test('further words go there too, but an answer is what was said', async () => {
  const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const script: Script = (request) => lastResult(request) ?? (request.messages.length < 3 ? asks : 'Done.');
  const asked = agentOf('asked', script, { ask: 'person', input: { format: 'json', schema } });
  const { desk } = deskOf([asked]);
  const { head, outcome } = await desk.begin({ ...asking, agent: 'asked', prompt: 'Go.' });
  expect((await outcome).status).toBe('needs_user_input');
  const answered = await desk.begin({ ...asking, session: head.id, message: 'In 1999.' });
  expect((await answered.outcome).text).toContain('In 1999.');
  expect(saidTo(asked)).not.toContain('\\"In 1999.');
  await (await desk.begin({ ...asking, session: head.id, message: 'And then?' })).outcome;
  expect(saidTo(asked)).toContain('{\\"text\\":\\"And then?\\"}');
});
