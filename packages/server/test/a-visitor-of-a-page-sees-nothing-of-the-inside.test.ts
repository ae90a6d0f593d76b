// The promise: whoever comes with a publishable key reads the answer, what goes on by its titles, and how it ended: no prompt of a
// system, no arguments, no result, no word of another agent, and of events that nobody has thought of yet nothing.

import { type AgentEvent, asTool, type ToolOffer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { toVisibleEvent } from '../src/headends/rest/visible-events.ts';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { as, governed } from './support/governed.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';

const origin = 'https://www.example.com';
const keys = { site: { origins: [origin], agents: ['*'], requestsPerMinute: 100 } };

/** Nothing of it is for visitors. */
const secrets = [
  'PROMPT-OF-LEAD',
  'PROMPT-OF-CHILD',
  'ARGUMENT-TO-CHILD',
  'ARGUMENT-TO-TOOL',
  'RESULT-OF-TOOL',
  'CHILD-SAYS',
];

const tool: ToolOffer = { ...lookUp, execute: () => 'RESULT-OF-TOOL' };

function team() {
  const child = agentOf(
    'child',
    (request) => (lastResult(request) ? 'CHILD-SAYS so.' : call('look_up', { what: 'ARGUMENT-TO-TOOL' })),
    { instructions: 'PROMPT-OF-CHILD', tools: [tool] },
  );
  return agentOf(
    'lead',
    (request) =>
      lastResult(request) ? 'All done.' : call('child', { text: 'ARGUMENT-TO-CHILD', reason: 'Looks it up' }),
    { instructions: 'PROMPT-OF-LEAD', tools: [asTool(child) as ToolOffer] },
    { pieces: 1 },
  );
}

async function house(agents = [team()]) {
  const { app } = governed({ keys, agents });
  const headers = { origin, 'content-type': 'application/json' };
  const get = (path: string, more = {}) => app.request(path, as('site', { ...headers, ...more }));
  const post = (path: string, body: object) =>
    app.request(path, { method: 'POST', body: JSON.stringify(body), ...as('site', headers) });
  const started = await post('/v1/sessions', { agent: agents[0]?.name, input: 'Go.' });
  const { id } = (await started.clone().json()) as { id: string };
  const follow = async (after?: string): Promise<readonly ReadEvent[]> => {
    const response = await get(`/v1/sessions/${id}/events`, after === undefined ? {} : { 'last-event-id': after });
    const events: ReadEvent[] = [];
    for await (const event of parseEvents(response.body as unknown as AsyncIterable<Uint8Array>)) events.push(event);
    return events;
  };
  return { get, post, id, started, follow };
}

test('nothing of the inside is anywhere in what it reads', async () => {
  const { get, post, id, started, follow } = await house();
  const replies = [
    await started.text(),
    JSON.stringify(await follow()),
    JSON.stringify(await follow('3')),
    await (await get(`/v1/sessions/${id}`)).text(),
    await (await get(`/v1/sessions/${id}`, { accept: 'application/vnd.ai-agent+json' })).text(),
    await (await get(`/v1/sessions/${id}/events?after=1`)).text(),
    await (await post(`/v1/sessions/${id}/stop`, {})).text(),
    await (await get('/v1')).text(),
  ];
  for (const reply of replies) for (const secret of secrets) expect(reply).not.toContain(secret);
  for (const reply of replies) expect(reply).not.toMatch(/"(?:usage|ledger|tree|trace|args|system|messages|tools)":/);
});

test('what goes on is told by titles, and the answer as it is written', async () => {
  const { follow } = await house();
  const events = await follow();
  const facts = events.filter(({ event }) => event !== 'text-delta');
  expect(facts.map(({ event, data }) => [event, data.instance, data.title ?? data.status])).toEqual([
    ['session-start', 'lead', undefined],
    ['tool-start', 'lead', 'Looks it up'],
    ['session-start', 'child', 'Looks it up'],
    ['tool-start', 'child', undefined],
    ['tool-end', 'child', 'ok'],
    ['session-end', 'child', 'completed'],
    ['tool-end', 'lead', 'ok'],
    ['session-end', 'lead', 'completed'],
    ['end', undefined, 'Go.'],
  ]);
  const root = events[0]?.data.session;
  expect(facts.at(-2)?.data).toMatchObject({ text: 'All done.', session: root, root });
  expect(Object.keys(facts.at(-1)?.data ?? {})).toEqual(['id', 'agent', 'status', 'title', 'createdAt', 'endedAt']);
});

test('whoever comes back gets what came after, under the same numbers', async () => {
  const { follow } = await house();
  const all = (await follow()).filter(({ id }) => id !== undefined);
  for (const [index, { id }] of all.entries())
    expect((await follow(id)).filter((event) => event.id !== undefined)).toEqual(all.slice(index + 1));
});

test('a session is read as its answer; what needs leave is neither shown to a visitor nor allowed by one', async () => {
  const { get, id, follow } = await house();
  await follow();
  const read = (await (await get(`/v1/sessions/${id}`)).json()) as object;
  expect(Object.keys(read)).toEqual(['id', 'agent', 'status', 'title', 'createdAt', 'endedAt', 'text']);
  const asks = agentOf('asks', () => call('delete_all', { what: 'ARGUMENT-TO-TOOL' }), {
    tools: [{ ...tool, name: 'delete_all' }],
    permissions: { ask: ['delete_all'] },
  });
  const other = await house([asks]);
  await other.follow();
  const text = await (await other.get(`/v1/sessions/${other.id}`)).text();
  expect(JSON.parse(text)).toMatchObject({ status: 'needs_user_input', question: { type: 'approval' } });
  expect(text).not.toContain('ARGUMENT-TO-TOOL');
  const allowed = [
    await other.post(`/v1/sessions/${other.id}/answer`, { answer: true }),
    await other.post('/v1/sessions', { session: other.id, input: 'yes' }),
  ];
  for (const reply of allowed) {
    expect(reply.status).toBe(403);
    expect(await reply.text()).not.toContain('ARGUMENT-TO-TOOL');
  }
});

test('a failure is told in five words, and nothing of where it came from', async () => {
  const { get, id, follow } = await house([agentOf('fails', [])]);
  await follow();
  const { failure } = (await (await get(`/v1/sessions/${id}`)).json()) as { failure: object };
  expect(Object.keys(failure)).toEqual(['class', 'code', 'message', 'remedy', 'retryable']);
  expect(failure).toMatchObject({ retryable: false });
});

test('what was written of an answer that never came is told with how it stands', async () => {
  const limits = { maxRetries: 1 };
  const { follow } = await house([agentOf('breaks', [{ text: 'aabbcc', cutAfter: 2 }], { limits })]);
  const [ended, standing] = (await follow()).slice(-2);
  expect(ended?.data).toMatchObject({ type: 'session-end', text: '', failure: { retryable: true } });
  expect(standing?.data).toMatchObject({ status: 'failed', draft: 'aabb' });
});

test('what a provider says of an account or an address stays inside; what was wrong with a request is told', async () => {
  const message = 'acme/big-1: no such key in org-INSIDE; nothing answers at http://10.0.0.5:8000/v1/chat';
  for (const code of ['model-auth', 'model-quota', 'model-request-refused'] as const) {
    const { get, id, follow } = await house([agentOf('fails', () => ({ fail: { code, message } }))]);
    const replies = [JSON.stringify(await follow()), await (await get(`/v1/sessions/${id}`)).text()];
    for (const reply of replies) {
      expect(reply).toContain(code);
      expect(reply).toContain('This could not be finished');
      expect(reply).not.toMatch(/acme|INSIDE|10\.0\.0\.5|baseUrl|provider/);
    }
  }
  const { post } = await house();
  expect(await (await post('/v1/sessions', { agent: 'lead' })).text()).toContain('input is missing');
});

test('text of others than the one who answers is withheld, and so is every event that is not known', () => {
  const trace = { originId: 's1', selfId: 's1', parentId: null, agentName: 'a', instanceName: 'a' };
  const of = (fields: object) => toVisibleEvent({ trace, ...fields } as unknown as AgentEvent);
  expect(of({ type: 'text-delta', answers: 's1', turn: 2, attempt: 3, text: 'Hi' })).toMatchObject({
    ...{ turn: 2, attempt: 3, text: 'Hi', answers: 's1', session: 's1' },
  });
  expect(of({ type: 'text-delta', answers: 's1.child', turn: 1, attempt: 1, text: 'CHILD-SAYS' })).toBeUndefined();
  for (const type of ['reasoning-delta', 'task-status', 'tool-progress', 'model-end', 'turn-start', 'of-next-year'])
    expect(of({ type, text: 'CHILD-SAYS' })).toBeUndefined();
});
