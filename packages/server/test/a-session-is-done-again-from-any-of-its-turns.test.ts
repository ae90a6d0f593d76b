// The promise: retry begins a new session with the very conversation that the root had before a turn, and its next step is the model call of that turn; the original is left alone.

import {
  type Agent,
  asPartner,
  asTool,
  MemoryCache,
  type Message,
  type ModelRequest,
  type ToolOffer,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agentOf, call, lookUp } from './contract/people.ts';
import { as, governed } from './support/governed.ts';
import { gate, type House, hallOf, openHouse, refusal } from './support/house.ts';

/** Remembers what its model was asked, call by call. */
function watched(name: string, script: Script, more: Partial<Agent> = {}) {
  const seen: ModelRequest[] = [];
  const agent = agentOf(
    name,
    (request, turn) => {
      seen.push(request);
      return typeof script === 'function' ? script(request, turn) : (script[turn - 1] ?? 'Nothing.');
    },
    more,
  );
  return { agent, seen };
}

/** Calls twice, then says how much it was told. */
const busy = () =>
  watched(
    'busy',
    ({ messages }) => {
      const results = messages.filter(({ role }) => role === 'tool').length;
      return results < 2 ? call('look_up', { which: results }) : `Told ${messages.length}.`;
    },
    { tools: [lookUp] },
  );

const retryOf = (house: House, session: string, more: object = {}, beside: object = {}) =>
  house.post('/v1/sessions', { retry: { session, ...more }, ...beside } as never);

const wordsOf = (message: Message | undefined) =>
  message?.role === 'user' ? message.content.map((part) => (part.type === 'text' ? part.text : part.name)) : undefined;

test('each turn is asked again with what the model was told then, and nothing else', async () => {
  const { agent, seen } = busy();
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('busy', 'Find both.');
  const before = await house.ended(id);
  const asked = [...seen];
  expect(asked).toHaveLength(3);
  for (const [i, turn] of [1, 2, 3].entries()) {
    seen.length = 0;
    const { status, body } = await retryOf(house, id, { turn });
    expect([status, body.retryOf, body.title]).toEqual([201, { session: id, round: 1, turn }, 'Find both.']);
    expect(body.id).not.toBe(id);
    expect((await house.ended(body.id)).text).toBe('Told 5.');
    expect([seen.length, seen[0]?.messages]).toEqual([3 - i, asked[i]?.messages]);
  }
  expect(await house.ended(id)).toEqual(before);
});

test('what it used before is not counted, and a budget that is said holds', async () => {
  const { agent } = busy();
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('busy', 'Find both.', { budget: { turns: 9 } });
  await house.ended(id);
  const again = await house.ended((await retryOf(house, id, { turn: 3 })).body.id);
  expect([again.usage.modelCalls, again.usage.toolCalls, again.rounds]).toEqual([1, 0, 1]);
  const narrow = await retryOf(house, id, { turn: 2 }, { budget: { toolCalls: 0 } });
  expect((await house.ended(narrow.body.id)).status).toBe('partial');
});

test('a prompt is replaced, with what was said before it and what came with it', async () => {
  const data = Buffer.from('x').toString('base64');
  const file = { mediaType: 'image/png', data, name: 'a.png' };
  const { agent, seen } = watched('echo', ({ messages }) => `Heard ${messages.length}.`);
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('echo', 'First.');
  await house.ended(id);
  await house.post('/v1/sessions', { session: id, input: 'Second.', attachments: [file] });
  await house.ended(id);
  const told = async (more: object, beside: object) => {
    seen.length = 0;
    const { body } = await retryOf(house, id, more, beside);
    const { title } = await house.ended(body.id);
    return [title, ...(seen[0]?.messages ?? []).flatMap((one) => wordsOf(one) ?? [])];
  };
  expect(await told({}, {})).toEqual(['First.', 'First.', 'Second.', 'a.png']);
  expect(await told({}, { input: 'Third.' })).toEqual(['First.', 'First.', 'Third.', 'a.png']);
  expect(await told({ turn: 1 }, { input: 'Third.', attachments: [] })).toEqual(['First.', 'First.', 'Third.']);
  expect(await told({ round: 1 }, {})).toEqual(['First.', 'First.']);
  const other = { ...file, name: 'b.png' };
  expect(await told({ round: 1 }, { input: 'Other.', attachments: [other] })).toEqual(['Other.', 'Other.', 'b.png']);
});

test('while it runs it can be begun again from where it has been, and goes on', async () => {
  const door = gate();
  const { agent } = watched(
    'slow',
    (_request, turn) => (turn === 1 ? call('look_up', {}) : { text: 'Slowly.', until: door.opened }),
    { tools: [lookUp] },
  );
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('slow');
  await expect
    .poll(() =>
      house.hall
        .live(id)
        ?.facts()
        .some((fact) => fact.type === 'model-start' && fact.turn === 2),
    )
    .toBe(true);
  const again = (await retryOf(house, id, { turn: 2 })).body.id;
  expect((await house.get(`/v1/sessions/${id}`)).body.status).toBe('running');
  door.open();
  expect([(await house.ended(id)).text, (await house.ended(again)).text]).toEqual(['Slowly.', 'Slowly.']);
});

test('one that waits for an answer is begun before its question, and after the answer from the turn that read it', async () => {
  const question = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  const { agent, seen } = watched('asker', ({ messages }) => (messages.length > 1 ? 'Thanks.' : question), {
    ask: 'person',
  });
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('asker', 'Do it.');
  await house.ended(id);
  const again = (await retryOf(house, id)).body;
  expect((await house.ended(again.id)).status).toBe('needs_user_input');
  expect((await house.get(`/v1/sessions/${id}`)).body.question.text).toBe('Which?');
  await house.post(`/v1/sessions/${id}/answer`, { answer: 'This.' });
  expect((await house.ended(id)).text).toBe('Thanks.');
  const asked = seen.at(-1)?.messages;
  const later = (await retryOf(house, id)).body;
  expect(later.retryOf).toEqual({ session: id, round: 2, turn: 2 });
  expect((await house.ended(later.id)).text).toBe('Thanks.');
  expect(seen.at(-1)?.messages).toEqual(asked);
  const refused = await retryOf(house, id, { turn: 1 });
  expect([...refusal(refused), refused.body.error.message]).toEqual([
    400,
    'request-invalid',
    'retry.turn is 1, and round 2 has had 2 turns; it went on from an answer, and asked the model from turn 2 on.',
  ]);
  expect(refusal(await retryOf(house, id, {}, { input: 'Other.' }))).toEqual([400, 'request-invalid']);
});

test('an answer that was sent back is there with what was wrong with it; a limit of the other is not', async () => {
  const schema = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
  const { agent, seen } = watched('report', (_request, turn) => (turn === 1 ? 'No JSON.' : '{"x":1}'), {
    output: { format: 'json', schema },
    input: { format: 'json', schema },
  });
  const limited = busy();
  const few = { ...limited.agent, name: 'few', limits: { maxTurns: 2 } };
  const house = await openHouse(hallOf([agent, few]));
  const id = await house.start('report', { x: 7 });
  await house.ended(id);
  const [, repaired] = seen.map(({ messages }) => messages);
  expect(repaired?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  const again = await house.ended((await retryOf(house, id, { turn: 2 })).body.id);
  expect([again.status, again.title]).toEqual(['completed', '{"x":7}']);
  expect(seen[2]?.messages).toEqual(repaired);
  expect((await house.ended((await retryOf(house, again.id)).body.id)).status).toBe('completed');
  expect(seen[3]?.messages).toEqual(repaired);
  const cut = await house.start('few', 'Find both.');
  expect((await house.ended(cut)).status).toBe('partial');
  limited.seen.length = 0;
  const fresh = await house.ended((await retryOf(house, cut, { turn: 2 })).body.id);
  expect(limited.seen[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(limited.seen[0]?.tools.length).toBeGreaterThan(0);
  expect(fresh.status).toBe('partial');
});

test('a form of answer that the request wanted is told once', async () => {
  const schema = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
  const { agent, seen } = watched('plain', ({ messages }) => (messages.length === 1 ? 'One.' : 'So: `{"x":1}`'));
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('plain', 'How many?', { format: 'json', schema });
  expect((await house.ended(id)).report).toEqual({ x: 1 });
  const again = await house.ended((await retryOf(house, id, { turn: 2 })).body.id);
  expect([again.report, again.usage.modelCalls]).toEqual([{ x: 1 }, 1]);
  expect([seen[2]?.messages, seen[2]?.output]).toEqual([seen[1]?.messages, seen[1]?.output]);
  await house.post('/v1/sessions', { session: id, input: 'And now?' });
  await house.ended(id);
  expect(seen[3]?.output).toEqual({ format: 'text' });
});

test('an answer that is kept is not given again', async () => {
  const { agent, seen } = watched('keeper', () => `Answer ${seen.length}.`, { cache: { ttlMs: 60_000, version: '1' } });
  const clock = new FakeClock();
  const ports = fakePorts({ clock, cache: new MemoryCache(clock) });
  const house = await openHouse(hallOf([agent], { ports }));
  const id = await house.start('keeper');
  await house.ended(id);
  const kept = await house.ended(await house.start('keeper'));
  expect([kept.text, kept.isCached]).toEqual(['Answer 1.', true]);
  for (const [i, one] of [id, kept.id].entries()) {
    const again = await house.ended((await retryOf(house, one)).body.id);
    expect([again.text, again.isCached]).toEqual([`Answer ${i + 2}.`, undefined]);
  }
});

test('advisors that were heard are not asked again', async () => {
  const advisor = watched('advisor', () => 'Be brief.');
  const { agent, seen } = watched('advised', () => `Answer ${seen.length}.`, {
    advisors: [asPartner(advisor.agent)],
  });
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('advised');
  await house.ended(id);
  const asked = seen[0]?.messages;
  expect(JSON.stringify(asked)).toContain('Be brief.');
  const again = await house.ended((await retryOf(house, id)).body.id);
  expect([again.text, advisor.seen.length]).toEqual(['Answer 2.', 1]);
  expect(seen[1]?.messages).toEqual(asked);
});

test('sessions below are done again by the turn that calls them', async () => {
  const child = watched('child', () => 'Below.');
  const { agent } = watched(
    'lead',
    ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : call('child', { text: 'go' })),
    {
      tools: [asTool(child.agent) as ToolOffer],
    },
  );
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('lead');
  await house.ended(id);
  await house.ended((await retryOf(house, id, { turn: 2 })).body.id);
  expect(child.seen).toHaveLength(1);
  await house.ended((await retryOf(house, id, { turn: 1 })).body.id);
  expect(child.seen).toHaveLength(2);
});

test.each([
  [{ round: 2 }, {}, 'retry.round is 2, and this session has had 1 round.'],
  [{ turn: 4 }, {}, 'retry.turn is 4, and round 1 has had 3 turns.'],
  [{ turn: 0 }, {}, 'retry.turn must be a whole number from 1 on.'],
  [{ round: 1.5 }, {}, 'retry.round must be a whole number from 1 on.'],
  [{ trun: 1 }, {}, 'retry.trun is not known here'],
  [{ session: 7 }, {}, 'retry.session must be the id of a session.'],
  [{ turn: 2 }, { input: 'Other.' }, 'input takes the place of what a round was asked'],
  [{}, { attachments: [] }, 'attachments go with an input'],
  [{}, { session: 'other' }, 'session goes on with one, and retry begins a new one'],
  [{}, { agent: 'other' }, 'is one of busy, and other was asked'],
])('what cannot be is 400: %j %j', async (more, beside, message) => {
  const { agent } = busy();
  const house = await openHouse(hallOf([agent, agentOf('other', () => 'Other.')]));
  const id = await house.start('busy');
  await house.ended(id);
  const replied = await retryOf(house, id, more, beside);
  expect([...refusal(replied), replied.body.error.message]).toEqual([
    400,
    'request-invalid',
    expect.stringContaining(message),
  ]);
});

test('sessions of others are not there', async () => {
  const { app } = governed({ keys: { one: {}, other: {} } });
  const post = (key: string, body: object) => {
    const { headers } = as(key, { 'content-type': 'application/json' });
    return app.request('/v1/sessions', {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: JSON.stringify(body),
    });
  };
  const { id } = (await (await post('one', { agent: 'echo', input: 'Mine.' })).json()) as { id: string };
  const statuses = ['one', 'other'].map(async (key) => (await post(key, { retry: { session: id } })).status);
  expect(await Promise.all(statuses)).toEqual([201, 404]);
});
