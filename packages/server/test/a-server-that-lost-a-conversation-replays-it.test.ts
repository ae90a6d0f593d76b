// The promise: results of calls that nobody here remembers are understood from the conversation that the client sends; what is remembered is bounded, and nothing of it is left behind.

import { defineTool } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { MemorySessions, type SessionHead } from '../src/index.ts';
import { talkBounds } from '../src/talk/talk-memory.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { requestsOf } from './support/openai-app.ts';
import { clientToolOf, linesOf, TalkClient, type TalkHouse, talkHouse } from './support/talk-client.ts';

const weather = clientToolOf('weather');
const tools = [weather];

/** Looks something up by itself, then asks the client, then says what it heard. */
function curious(name = 'lead') {
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'hidden work' });
  const model = agentOf(
    name,
    (request) => {
      const said = linesOf(request).filter((line) => line.startsWith('result'));
      if (said.some((line) => line.startsWith('result weather'))) return `It is ${lastResult(request)}.`;
      return { calls: [{ name: said.length === 0 ? 'look' : 'weather' }] };
    },
    { tools: [look] },
  );
  return model;
}

const lastLines = (agent: ReturnType<typeof curious>) => linesOf(requestsOf(agent).at(-1) ?? { messages: [] });

const replayed = ['user Go.', 'calls weather', 'result weather sunny'];
const resumed = ['user Go.', 'calls look', 'result look hidden work', 'calls weather', 'result weather sunny'];

/** Asks, loses what the server knew in some way, and brings the results. */
async function afterwards(lose: (client: TalkClient, house: TalkHouse) => TalkClient | Promise<TalkClient>) {
  const agent = curious();
  const house = talkHouse([agent, { ...agent, name: 'other' }], { keys: true });
  const client = new TalkClient(house.app, 'lead', { tools, key: 'one' });
  const asks = await client.say('Go.');
  const ends = await (await lose(client, house)).bring(['sunny']);
  return { asks, ends, heard: lastLines(agent), house };
}

test('as long as it is remembered, the very session goes on', async () => {
  const { asks, ends, heard } = await afterwards((client, { clock }) => {
    clock.advance(talkBounds.callsForMs - 1);
    return client;
  });
  expect([ends.text, ends.about.session_id, heard]).toEqual(['It is sunny.', asks.about.session_id, resumed]);
});

const losses: Readonly<Record<string, Parameters<typeof afterwards>[0]>> = {
  'another server, that has never heard of it': (client) =>
    client.elsewhere({ app: talkHouse([curious()], { keys: true }).app }),
  'time that has passed': (client, { clock }) => {
    clock.advance(talkBounds.callsForMs);
    return client;
  },
  'a key of somebody else': (client) => client.elsewhere({ key: 'two' }),
  'another agent': (client) => client.elsewhere({ agent: 'other' }),
  'a pause that is not kept any more': async (client, { pauses }) => {
    for (const handle of pauses.handles) await pauses.delete(handle);
    return client;
  },
  'a session that was cancelled meanwhile': async (client, { hall }) => {
    const { session_id: id } = client.last?.about ?? { session_id: '' };
    hall.store.put({ ...((await hall.store.get(id)) as SessionHead), status: 'cancelled', resume: undefined } as never);
    return client;
  },
};

test.each(Object.entries(losses))('%s: the conversation is replayed as a session of its own', async (name, lose) => {
  const { asks, ends, heard } = await afterwards(lose);
  expect([ends.error, ends.text, ends.finish]).toEqual([undefined, 'It is sunny.', 'stop']);
  const isElsewhere = name.startsWith('another server');
  if (!isElsewhere) {
    expect(ends.about.session_id).not.toBe(asks.about.session_id);
    expect(heard).toEqual(replayed);
  }
});

test('who shows a foreign key neither takes nor harms what waits', async () => {
  const { asks, house } = await afterwards((client) => client.elsewhere({ key: 'two' }));
  const owner = new TalkClient(house.app, 'lead', { tools, key: 'one' });
  owner.last = asks;
  owner.said.push({ role: 'user', content: 'Go.' }, ...called(asks));
  const ends = await owner.bring(['sunny']);
  expect(ends.about.session_id).toBe(asks.about.session_id);
});

function called({ calls }: Awaited<ReturnType<TalkClient['say']>>) {
  const tool_calls = calls.map(({ id, name }) => ({ id, type: 'function', function: { name, arguments: '{}' } }));
  return [{ role: 'assistant', content: null, tool_calls }];
}

test('a replay that calls again waits like any other, and its results find it', async () => {
  const agent = agentOf('lead', (request, turn) =>
    turn < 3 ? { calls: [{ name: 'weather' }] } : `It is ${lastResult(request)}.`,
  );
  const client = new TalkClient(talkHouse([agent]).app, 'lead', { tools });
  await client.say('Go.');
  const lost = client.elsewhere({ app: talkHouse([agent]).app });
  const again = await lost.bring(['sunny']);
  const ends = await lost.bring(['rainy']);
  expect([again.finish, ends.text]).toEqual(['tool_calls', 'It is rainy.']);
  expect(ends.about.session_id).toBe(again.about.session_id);
});

describe('at once', () => {
  test('of two who bring the same results one goes on, and the other is answered all the same', async () => {
    const agent = curious();
    const { app, pauses, hall } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools });
    const asks = await client.say('Go.');
    const both = await Promise.all([client, client.elsewhere()].map((one) => one.bring(['sunny'])));
    expect(both.map(({ text }) => text)).toEqual(['It is sunny.', 'It is sunny.']);
    const ids = both.map((one) => one.about.session_id);
    expect(ids.filter((id) => id === asks.about.session_id)).toHaveLength(1);
    expect([pauses.handles.size, hall.running]).toEqual([0, 0]);
  });

  test.each([false, true])(
    'a request that is cut while it goes on can be sent again (in pieces: %s)',
    async (isStream) => {
      const gate = Promise.withResolvers<void>();
      let isFirst = true;
      const agent = agentOf('lead', (request) => {
        const result = lastResult(request);
        if (!result) return { calls: [{ name: 'weather' }] };
        if (!isFirst) return `It is ${result}.`;
        isFirst = false;
        return { text: 'never', until: gate.promise };
      });
      const { app, hall } = talkHouse([agent]);
      const client = new TalkClient(app, 'lead', { tools, isStream });
      const asks = await client.say('Go.');
      client.said.push({ role: 'tool', tool_call_id: asks.calls[0]?.id, content: 'sunny' });
      const gone = new AbortController();
      const cut = client.post(gone.signal);
      cut.catch(() => {});
      await expect.poll(() => requestsOf(agent).length).toBe(2);
      gone.abort();
      await expect.poll(() => hall.running).toBe(0);
      gate.resolve();
      expect((await client.send()).text).toBe('It is sunny.');
    },
  );

  test('a run that fails after it went on can be asked again', async () => {
    const script = [{ calls: [{ name: 'weather' }] }, { fail: { code: 'model-unavailable' } }, 'It is sunny.'] as const;
    const agent = agentOf('lead', script, { limits: { maxRetries: 1 } });
    const { app, pauses, hall } = talkHouse([agent]);
    const client = new TalkClient(app, 'lead', { tools });
    await client.say('Go.');
    const failed = await client.bring(['sunny']);
    expect(failed.error.ai_agent).toMatchObject({ class: 'model', retryable: true });
    const ends = await client.send();
    expect([ends.text, lastLines(agent)]).toEqual(['It is sunny.', replayed]);
    expect([pauses.handles.size, hall.running]).toEqual([0, 0]);
  });

  test('a request that is cut while it waits for a place has taken nothing', async () => {
    const gate = Promise.withResolvers<void>();
    const busy = agentOf('busy', [{ text: 'Done.', until: gate.promise }]);
    const agent = curious();
    const { app, hall } = talkHouse([agent, busy], { places: { openai: { running: 1 } } });
    const client = new TalkClient(app, 'lead', { tools });
    const asks = await client.say('Go.');
    const other = new TalkClient(app, 'busy').say('Go.');
    await expect.poll(() => requestsOf(busy).length).toBe(1);
    client.said.push({ role: 'tool', tool_call_id: asks.calls[0]?.id, content: 'sunny' });
    const gone = new AbortController();
    const cut = client.post(gone.signal);
    cut.catch(() => {});
    await expect.poll(() => hall.running).toBe(2);
    gone.abort();
    await expect.poll(() => hall.running).toBe(1);
    gate.resolve();
    await other;
    const ends = await client.send();
    expect([ends.about.session_id, lastLines(agent)]).toEqual([asks.about.session_id, resumed]);
  });
});

describe('what is remembered', () => {
  test('is forgotten when it is taken, and what waited is deleted with it', async () => {
    const { house } = await afterwards((client) => client);
    expect(house.pauses.handles.size).toBe(0);
  });

  test('of too many goes the oldest, and what it waited with is deleted', async () => {
    const agent = agentOf('lead', (request) => lastResult(request) ?? { calls: [{ name: 'weather' }] });
    const { app, pauses } = talkHouse([agent]);
    const first = new TalkClient(app, 'lead', { tools });
    const asks = await first.say('Go.');
    for (let i = 1; i < talkBounds.conversations; i++) await new TalkClient(app, 'lead', { tools }).say(`Go ${i}.`);
    expect(pauses.handles.size).toBe(talkBounds.conversations);
    expect(pauses.handles.has(asks.about.session_id)).toBe(true);
    await new TalkClient(app, 'lead', { tools }).say('One more.');
    await expect.poll(() => pauses.handles.size).toBe(talkBounds.conversations);
    expect(pauses.handles.has(asks.about.session_id)).toBe(false);
    const ends = await first.bring(['sunny']);
    expect([ends.text, ends.about.session_id === asks.about.session_id]).toEqual(['sunny', false]);
  });

  test('for too long goes when the next comes, and what it waited with is deleted', async () => {
    const { app, pauses, clock } = talkHouse([curious()]);
    await new TalkClient(app, 'lead', { tools }).say('Go.');
    clock.advance(talkBounds.callsForMs);
    await new TalkClient(app, 'lead', { tools }).say('Go.');
    await expect.poll(() => pauses.handles.size).toBe(1);
  });

  test('of a session that went on is nothing that a later call of it could be lost with', async () => {
    const agent = agentOf('lead', (request, turn) =>
      turn < 3 ? { calls: [{ name: 'weather' }] } : `${lastResult(request)}.`,
    );
    const { app, pauses, clock } = talkHouse([agent, curious('other')]);
    const client = new TalkClient(app, 'lead', { tools });
    await client.say('Go.');
    clock.advance(talkBounds.callsForMs / 2);
    await client.bring(['sunny']);
    clock.advance(talkBounds.callsForMs / 2 + 1);
    // Whoever comes now makes room.
    await new TalkClient(app, 'other', { tools }).say('Go.');
    expect(pauses.handles.size).toBe(2);
    const ends = await client.bring(['rainy']);
    expect([ends.text, linesOf(requestsOf(agent)[2] ?? { messages: [] })]).toEqual([
      'rainy.',
      ['user Go.', 'calls weather', 'result weather sunny', 'calls weather', 'result weather rainy'],
    ]);
  });

  test('is deleted also where the session itself was forgotten', async () => {
    const { app, pauses, clock } = talkHouse([curious()], { store: new MemorySessions({ maxSessions: 1 }) });
    await new TalkClient(app, 'lead', { tools }).say('Go.');
    await new TalkClient(app, 'lead', { tools }).say('Go on.');
    clock.advance(talkBounds.callsForMs);
    await new TalkClient(app, 'lead', { tools }).say('Go.');
    await expect.poll(() => pauses.handles.size).toBe(1);
  });

  test('and that it cannot be deleted is told to whoever runs the server, and to nobody else', async () => {
    const bugs: unknown[] = [];
    const { app, clock, pauses } = talkHouse([curious()], { onBug: (error) => bugs.push(error) });
    await new TalkClient(app, 'lead', { tools }).say('Go.');
    pauses.delete = () => {
      throw new TypeError('no disk');
    };
    pauses.put = () => {};
    clock.advance(talkBounds.callsForMs);
    expect((await new TalkClient(app, 'lead', { tools }).say('Go.')).finish).toBe('tool_calls');
    await expect.poll(() => bugs).toEqual([expect.objectContaining({ message: 'no disk' })]);
  });
});
