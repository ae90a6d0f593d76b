// The promise: a question holds no place; whoever answers it goes on with the very session that asked, once.

import { type Agent, defineTool, type Fact, MemoryPauses } from '@ai-agent/core';
import { fakePorts, type ScriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { answer, anybody, MemorySessions, resume, type SessionHead, type SessionQuery } from '../src/index.ts';
import { agentOf, call, lastResult, leadOf } from './contract/people.ts';
import { gate, hallOf, openHouse, refusal, wires } from './support/house.ts';
import { lazyStore, slowStore } from './support/stores.ts';

/** Asks, and says what it was told. */
function curious(question: object = { question: 'Which year?' }, more: Partial<Agent> = {}): Agent {
  const asks = { calls: [{ name: 'ask_user', input: question }] };
  return agentOf('curious', (request) => lastResult(request) ?? asks, { ask: 'person', ...more });
}

describe.each(wires)('%s', (_name, connect) => {
  test('the question of a grandchild reaches the door, and its answer the grandchild', async () => {
    const hall = hallOf([leadOf('lead', leadOf('middle', curious()))], {
      places: { rest: { running: 1, waiting: 0 } },
    });
    const house = await openHouse(hall, connect);
    const id = await house.start('lead');
    const asked = await house.ended(id);
    expect(asked).toMatchObject({
      status: 'needs_user_input',
      question: { text: 'Which year?', agentName: 'curious' },
    });
    // Nothing of it is held: there is room for another.
    expect([hall.running, hall.placesOf('rest').running]).toEqual([0, 0]);
    const answered = await house.post(`/v1/sessions/${id}/answer`, { answer: '1999' });
    expect([answered.status, answered.headers.get('location')]).toEqual([202, `/v1/sessions/${id}`]);
    expect(answered.body).toMatchObject({ id, links: { self: `/v1/sessions/${id}` } });
    expect(answered.body.question).toBeUndefined();
    const done = await house.ended(id);
    expect(done).toMatchObject({ id, sessionId: id, status: 'completed' });
    expect(done.text).toContain('1999');
    // What was used before the question is among what was used.
    expect(done.usage.modelCalls).toBe(done.ledger.total.modelCalls);
    expect([done.earlier.length, done.usage.modelCalls]).toEqual([1, 6]);
  });

  test('an answer that does not fit leaves the question open, and says why', async () => {
    const house = await openHouse(hallOf([curious({ question: 'Which?', choices: ['1999', '2024'] })]), connect);
    const id = await house.start('curious');
    await house.ended(id);
    const path = `/v1/sessions/${id}/answer`;
    expect(refusal(await house.post(path, { answer: '1066' }))).toEqual([400, 'answer-invalid']);
    expect(refusal(await house.post(path, {}))).toEqual([400, 'request-invalid']);
    expect(refusal(await house.post(path, { answer: '1999', wait: 'long' }))).toEqual([400, 'request-invalid']);
    expect(refusal(await house.post(path, { answer: '1999', id }))).toEqual([400, 'request-invalid']);
    expect((await house.get(`/v1/sessions/${id}`)).body.status).toBe('needs_user_input');
    expect((await house.post(path, { answer: '1999' })).status).toBe(202);
    expect((await house.ended(id)).text).toContain('1999');
    expect(refusal(await house.post(path, { answer: '2024' }))).toEqual([409, 'question-unknown']);
  });

  test('nothing is no answer, unless the question says so', async () => {
    const house = await openHouse(hallOf([curious()]), connect);
    const id = await house.start('curious');
    await house.ended(id);
    const path = `/v1/sessions/${id}/answer`;
    for (const answer of ['', ' \n'])
      expect(refusal(await house.post(path, { answer }))).toEqual([400, 'answer-invalid']);
    expect((await house.post(path, { answer: '1999' })).status).toBe(202);
    const free = await openHouse(hallOf([curious({ question: 'More?', choices: ['', 'yes'] })]), connect);
    const other = await free.start('curious');
    await free.ended(other);
    expect((await free.post(`/v1/sessions/${other}/answer`, { answer: '' })).status).toBe(202);
  });

  test('who started it by waiting waits again for what comes of the answer, and gets it as at first', async () => {
    const house = await openHouse(hallOf([curious()]), connect);
    const asked = await house.get('/v1/curious?q=Go.');
    const id = asked.headers.get('x-ai-agent-session');
    expect(asked.headers.get('x-ai-agent-status')).toBe('needs_user_input');
    const answered = await house.post(`/v1/sessions/${id}/answer`, { answer: '2024' });
    expect([answered.status, answered.body]).toEqual([200, '2024']);
    expect(answered.headers.get('x-ai-agent-session')).toBe(id);
    expect(answered.headers.get('x-ai-agent-status')).toBe('completed');
    const other = await house.get('/v1/curious?q=Go.');
    const path = `/v1/sessions/${other.headers.get('x-ai-agent-session')}`;
    expect((await house.post(`${path}/answer`, { answer: '1', wait: false })).status).toBe(202);
    const detached = await house.start('curious');
    await house.ended(detached);
    const waited = await house.post(`/v1/sessions/${detached}/answer`, { answer: '3', wait: true });
    expect([waited.status, waited.body]).toEqual([200, '3']);
  });
});

test.each([
  ['at once', () => new MemorySessions()],
  ['slowly', () => slowStore()],
  ['with promises of its own', () => lazyStore()],
])('of many answers that come together one wins (a store that answers %s)', async (_name, store) => {
  const agent = curious();
  const house = await openHouse(hallOf([agent], { store: store() }));
  const id = await house.start('curious');
  await house.ended(id);
  const path = `/v1/sessions/${id}/answer`;
  const all = await Promise.all(Array.from({ length: 10 }, (_, i) => house.post(path, { answer: `number ${i}` })));
  expect(all.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(409)]);
  const winner = all.findIndex(({ status }) => status === 202);
  expect(await house.ended(id)).toMatchObject({ status: 'completed' });
  expect((await house.ended(id)).text).toContain(`number ${winner}`);
  expect((agent.model as ScriptedModel).requests.length).toBe(2);
});

test('who comes second is second, also where the store tells it what was true before', async () => {
  const inner = new MemorySessions();
  const late = gate();
  let asked = 0;
  const get = async (id: string) => {
    const head = inner.get(id);
    if (++asked === 2) await late.opened;
    return head;
  };
  const store = {
    get,
    put: (head: SessionHead) => inner.put(head),
    append: (id: string, facts: readonly Fact[]) => inner.append(id, facts),
    facts: (id: string, after: number) => inner.facts(id, after),
    list: (query: SessionQuery) => inner.list(query),
    claim: (head: SessionHead) => inner.claim(head),
    delete: (id: string) => inner.delete(id),
  };
  // The first that goes on cannot even take the answer: the question is still open, but it is not what it was.
  const { model } = curious();
  let made = 0;
  const models = () => {
    if (++made === 2) throw new TypeError('The provider is not set up.');
    return model as ScriptedModel;
  };
  const agent: Agent = { name: 'curious', instructions: 'Ask.', model: 'some/model', ask: 'person' };
  const hall = hallOf([agent], { store, ports: fakePorts({ models }) });
  const { head } = answer(hall, { agent: 'curious', prompt: 'Go.', visitor: anybody, headend: 'rest' });
  await expect.poll(() => hall.running).toBe(0);
  const first = resume(hall, head.id, { visitor: anybody, answer: 'one' });
  const second = resume(hall, head.id, { visitor: anybody, answer: 'two' });
  second.catch(() => {});
  expect((await (await first).outcome).status).toBe('failed');
  await expect.poll(() => hall.running).toBe(0);
  late.open();
  await expect(second).rejects.toMatchObject({ code: 'question-unknown' });
  await expect.poll(() => hall.running).toBe(0);
  const { facts, ...known } = inner.get(head.id) ?? head;
  expect(known).toMatchObject({ status: 'failed', resumptions: 1, question: { text: 'Which year?' } });
  expect(facts).toBe(inner.facts(head.id, 0).length);
});

test('who is asked may answer at once, however long the store takes', async () => {
  const house = await openHouse(hallOf([curious()], { store: slowStore() }));
  const asked = await house.get('/v1/curious?q=Go.');
  const path = `/v1/sessions/${asked.headers.get('x-ai-agent-session')}/answer`;
  const answered = await house.post(path, { answer: '2024' });
  expect([answered.status, answered.body]).toEqual([200, '2024']);
});

test.each([
  [true, 'it is gone'],
  [{ approved: true, reason: 'It is old.' }, 'it is gone'],
  [false, 'did not approve'],
  [{ approved: false, reason: 'It is mine.' }, 'It is mine.'],
  ['yes', 'it is gone'],
])('leave to act is given or refused with %j', async (answer, result) => {
  const remove = defineTool({
    name: 'remove',
    description: 'removes',
    inputSchema: { type: 'object' },
    needsApproval: true,
    execute: () => 'it is gone',
  });
  const agent = agentOf('cleaner', (request) => lastResult(request) ?? call('remove', {}), { tools: [remove] });
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('cleaner');
  expect(await house.ended(id)).toMatchObject({ question: { type: 'approval', call: { tool: 'remove' } } });
  expect(refusal(await house.post(`/v1/sessions/${id}/answer`, { answer: 7 }))).toEqual([400, 'answer-invalid']);
  expect((await house.post(`/v1/sessions/${id}/answer`, { answer })).status).toBe(202);
  expect((await house.ended(id)).text).toContain(result);
});

test('data answers too, as the question wants it', async () => {
  const schema = { type: 'array', items: { type: 'integer' } };
  const house = await openHouse(hallOf([curious({ question: 'Which ones?', schema })]));
  const id = await house.start('curious');
  await house.ended(id);
  expect(refusal(await house.post(`/v1/sessions/${id}/answer`, { answer: ['x'] }))).toEqual([400, 'answer-invalid']);
  expect((await house.post(`/v1/sessions/${id}/answer`, { answer: [1, 2] })).status).toBe(202);
  expect((await house.ended(id)).text).toContain('[1,2]');
});

test('what it may use holds after the question', async () => {
  const agent = agentOf('curious', (_request, turn) => ({
    calls: [{ name: 'ask_user', input: { question: `${turn}?` } }],
  }));
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('curious', 'Go.', { budget: { turns: 2 } });
  await house.ended(id);
  await house.post(`/v1/sessions/${id}/answer`, { answer: 'one' });
  await house.ended(id);
  await house.post(`/v1/sessions/${id}/answer`, { answer: 'two' });
  expect(await house.ended(id)).toMatchObject({ status: 'partial', limit: 'turns' });
});

test.each([
  ['too many questions', new MemoryPauses(1)],
  ['too large ones', new MemoryPauses(1_000, 200)],
])('where %s were asked since, it is said, and nothing is lost of what was done', async (_name, pauses) => {
  const house = await openHouse(hallOf([curious()], { ports: fakePorts({ pauses }) }));
  const [first, second] = [await house.start('curious'), await house.start('curious')];
  await Promise.all([house.ended(first), house.ended(second)]);
  const refused = await house.post(`/v1/sessions/${first}/answer`, { answer: '1' });
  expect(refusal(refused)).toEqual([409, 'question-unknown']);
  expect(refused.body.error.remedy).toContain('new session');
  expect((await house.get(`/v1/sessions/${first}`)).body).toMatchObject({
    status: 'needs_user_input',
    ledger: { total: { modelCalls: 1 } },
  });
  expect((await house.post(`/v1/sessions/${second}/answer`, { answer: '2' })).status).toBe(202);
});

test('who leaves while it waits for a place with its answer leaves the question open', async () => {
  const door = gate();
  const slow = agentOf('slow', () => ({ text: 'Done.', until: door.opened }));
  const house = await openHouse(hallOf([curious(), slow], { places: { rest: { running: 1, waiting: 1 } } }));
  const id = await house.start('curious');
  await house.ended(id);
  const busy = await house.start('slow');
  const gone = new AbortController();
  const body = JSON.stringify({ answer: '1', wait: true });
  const headers = { 'content-type': 'application/json' };
  const sending = { method: 'POST', headers, body, signal: gone.signal };
  const left = house.wire.send(`/v1/sessions/${id}/answer`, sending).catch(() => undefined);
  await expect.poll(() => house.hall.live(id)?.head.status).toBe('queued');
  gone.abort();
  await left;
  await expect.poll(() => house.hall.live(id)).toBeUndefined();
  expect((await house.get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'needs_user_input', question: {} });
  // The same when whoever it belongs to calls it off, but for the question: that is over then.
  await house.post(`/v1/sessions/${id}/answer`, { answer: '1' });
  expect((await house.post(`/v1/sessions/${id}/cancel`)).status).toBe(202);
  expect(await house.ended(id)).toMatchObject({ status: 'cancelled', failure: { class: 'cancelled' } });
  expect(refusal(await house.post(`/v1/sessions/${id}/answer`, { answer: '1' }))).toEqual([409, 'question-unknown']);
  door.open();
  await house.ended(busy);
});

test('a run that could not even take the answer leaves the question open', async () => {
  let isBroken = false;
  const model = agentOf(
    'curious',
    (request) => lastResult(request) ?? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] },
  ).model;
  const models = () => {
    if (isBroken) throw new TypeError('The provider is not set up.');
    return model as ScriptedModel;
  };
  const agent: Agent = { name: 'curious', instructions: 'Ask.', model: 'some/model', ask: 'person' };
  const house = await openHouse(hallOf([agent], { ports: fakePorts({ models }) }));
  const id = await house.start('curious');
  await house.ended(id);
  isBroken = true;
  await house.post(`/v1/sessions/${id}/answer`, { answer: '1' });
  expect(await house.ended(id)).toMatchObject({ status: 'failed', question: { text: 'Which?' } });
  isBroken = false;
  expect((await house.post(`/v1/sessions/${id}/answer`, { answer: '2' })).status).toBe(202);
  expect(await house.ended(id)).toMatchObject({ status: 'completed', text: expect.stringContaining('2') });
});
