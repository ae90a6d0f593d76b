// The promise: a session started at /v1/sessions is there at once, and goes on whoever leaves.

import { describe, expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { textOf } from './contract/wires.ts';
import { gate, hallOf, openHouse, refusal, wires } from './support/house.ts';

const headers = { 'content-type': 'application/json' };

describe.each(wires)('%s', (_name, connect) => {
  test('the id comes at once, the answer when it is there', async () => {
    const door = gate();
    const agent = agentOf('slow', [{ text: 'At last.', until: door.opened }]);
    const house = await openHouse(hallOf([agent]), connect);
    const created = await house.post('/v1/sessions', { agent: 'slow', input: 'Take your time.' });
    expect([created.status, created.headers.get('location')]).toEqual([201, '/v1/sessions/s1']);
    expect(created.body).toMatchObject({
      id: 's1',
      agent: 'slow',
      createdAt: expect.any(Number),
      links: { self: '/v1/sessions/s1', events: '/v1/sessions/s1/events', answer: '/v1/sessions/s1/answer' },
    });
    const running = await house.get('/v1/sessions/s1');
    expect(running.body).toMatchObject({ status: 'running', sessionId: 's1', tree: { status: 'running' } });
    expect(running.body.ledger.entries).toEqual([]);
    door.open();
    expect(await house.ended('s1')).toMatchObject({
      status: 'completed',
      report: 'At last.',
      text: 'At last.',
      usage: { modelCalls: 1 },
      ledger: { total: { modelCalls: 1 } },
      tree: { status: 'completed' },
      endedAt: expect.any(Number),
    });
  });

  test('whoever started it, and whoever follows it, may go: it ends by itself', async () => {
    const door = gate();
    const house = await openHouse(hallOf([agentOf('slow', [{ text: 'Done.', until: door.opened }])]), connect);
    const gone = new AbortController();
    const body = JSON.stringify({ agent: 'slow', input: 'Go.' });
    const created = await house.wire.send('/v1/sessions', { method: 'POST', headers, body, signal: gone.signal });
    expect(created.status).toBe(201);
    const follower = await house.events('s1', { signal: gone.signal });
    expect(follower.status).toBe(200);
    gone.abort();
    await textOf(follower).catch(() => {});
    await expect.poll(() => house.hall.live('s1')?.followers).toBe(0);
    expect((await house.get('/v1/sessions/s1')).body.status).toBe('running');
    door.open();
    expect(await house.ended('s1')).toMatchObject({ status: 'completed', text: 'Done.' });
  });

  test('without a place it waits; without room in the row it is turned away', async () => {
    const door = gate();
    const agent = agentOf('slow', () => ({ text: 'Done.', until: door.opened }));
    const hall = hallOf([agent], { places: { rest: { running: 1, waiting: 1 } } });
    const house = await openHouse(hall, connect);
    const [first, second] = [await house.start('slow'), await house.start('slow')];
    expect((await house.get(`/v1/sessions/${second}`)).body).toMatchObject({ status: 'queued', tree: null });
    const third = await house.post('/v1/sessions', { agent: 'slow', input: 'Go.' });
    expect(refusal(third)).toEqual([503, 'server-full']);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    door.open();
    expect((await house.ended(first)).status).toBe('completed');
    expect((await house.ended(second)).status).toBe('completed');
    expect((await house.get('/v1/sessions')).body.sessions.length).toBe(2);
  });
});

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const people = () => [
  agentOf('talker', () => 'Hello.'),
  agentOf('where', () => 'Delphi.', { input: { format: 'json', schema: city } }),
];

test.each([
  ['no JSON', 'nothing', 'The body is not JSON'],
  ['a list', [], 'The body must be a JSON object.'],
  ['no agent', { input: 'Go.' }, 'agent is missing'],
  ['no input', { agent: 'talker' }, 'input is missing'],
  ['an empty input', { agent: 'talker', input: ' ' }, 'input is missing or empty'],
  ['a number for words', { agent: 'talker', input: 7 }, 'input must be text or an object.'],
  ['an unknown field', { agent: 'talker', input: 'Go.', budgets: {} }, 'budgets is not known here; known are agent'],
  ['an unknown amount', { agent: 'talker', input: 'Go.', budget: { money: 1 } }, 'budget.money is not known'],
  ['a negative amount', { agent: 'talker', input: 'Go.', budget: { turns: -1 } }, 'budget.turns is -1'],
  ['half an amount', { agent: 'talker', input: 'Go.', budget: { tokens: 0.5 } }, 'budget.tokens is 0.5'],
  ['no such format', { agent: 'talker', input: 'Go.', format: 'pdf' }, 'format must be one of'],
  ['JSON without a schema', { agent: 'talker', input: 'Go.', format: 'json' }, 'format=json needs a schema'],
  ['what breaks the contract of the agent', { agent: 'where', input: { town: 'x' } }, 'lacks "city"'],
  ['words for an agent that takes data', { agent: 'where', input: 'Delphi' }, 'it is not JSON'],
])('%s is refused before anything starts, and named', async (_name, body, message) => {
  const hall = hallOf(people());
  const house = await openHouse(hall);
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const arrived = await house.wire.send('/v1/sessions', { method: 'POST', headers, body: sent });
  expect(arrived.status).toBe(400);
  expect(JSON.parse(await textOf(arrived)).error.message).toContain(message);
  expect((await house.get('/v1/sessions')).body.sessions).toEqual([]);
});

test('what it may use, and the form of its report, are those that were asked for', async () => {
  const talker = agentOf('talker', ({ output }) => (output.format === 'json' ? '{"city":"Delphi"}' : 'It is Delphi.'));
  const house = await openHouse(hallOf([talker, agentOf('where', () => 'Delphi.', { input: { format: 'json' } })]));
  const asked = await house.start('talker', 'Where?', { format: 'json', schema: city });
  expect(await house.ended(asked)).toMatchObject({ status: 'completed', report: { city: 'Delphi' }, format: 'json' });
  const poor = await house.start('talker', 'Where?', { budget: { tokens: 1 } });
  expect(await house.ended(poor)).toMatchObject({ status: 'failed', failure: { class: 'budget' } });
  expect(await house.ended(await house.start('where', [1, 2]))).toMatchObject({ status: 'completed' });
});

test('unknown agents, unknown sessions, wrong methods', async () => {
  const house = await openHouse(hallOf(people()));
  expect(refusal(await house.post('/v1/sessions', { agent: 'nobody', input: 'Go.' }))).toEqual([404, 'agent-unknown']);
  for (const id of ['nope', '..', '%00', `${'x'.repeat(500)}`, 'a%2Fb'])
    expect(refusal(await house.get(`/v1/sessions/${id}/events`))).toEqual([404, expect.stringMatching(/-unknown$/)]);
  expect(refusal(await house.get('/v1/sessions/nope'))).toEqual([404, 'session-unknown']);
  const wrong = await house.get('/v1/sessions/nope/stop');
  expect([...refusal(wrong), wrong.headers.get('allow')]).toEqual([405, 'method-wrong', 'POST']);
  expect(refusal(await house.post('/v1/sessions/nope', {}))).toEqual([405, 'method-wrong']);
  expect(refusal(await house.get('/v1/sessions?limit=0'))).toEqual([400, 'request-invalid']);
  expect(refusal(await house.get('/v1/sessions?limt=1'))).toEqual([400, 'request-invalid']);
});

test('the newest first, as many as wanted', async () => {
  const house = await openHouse(hallOf(people()));
  for (const input of ['one', 'two', 'three']) await house.ended(await house.start('talker', input));
  const { body } = await house.get('/v1/sessions?limit=2');
  expect(body.sessions.map(({ id }: { id: string }) => id)).toEqual(['s3', 's2']);
  expect(Object.keys(body.sessions[0])).not.toContain('ledger');
});
