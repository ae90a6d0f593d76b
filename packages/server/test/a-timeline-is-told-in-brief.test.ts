// The promise: whoever follows a session in brief has every fact under its number with long texts cut, what people read whole, and all of a fact when it is asked for.

import { AgentError, asTool, type Fact, type ModelRequest, type ToolOffer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf, call, lastResult } from './contract/people.ts';
import { gate, type House, hallOf, openHouse, refusal } from './support/house.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';
import { BreakableStore } from './support/stores.ts';

const long = (name: string, length = 12_000) => `${name} ${'x'.repeat(length)}`;

const digger = {
  name: 'dig',
  description: 'digs',
  inputSchema: { type: 'object' },
  execute: () => ({ type: 'json' as const, value: { found: Array.from({ length: 1_000 }, (_, i) => i) } }),
};

/** Its answers, calls, results and instructions are long, and so are those of the one below. */
function family() {
  const child = agentOf('child', (request) => lastResult(request)?.slice(0, 1) ?? long('child says'), {
    instructions: long('child is'),
  });
  const script = (request: ModelRequest, turn: number) => {
    if (turn === 1) return { text: long('I look'), calls: [{ name: 'dig', input: { where: long('deep') } }] };
    return turn === 2 ? call('child', { text: long('asked below') }) : long('I found', request.messages.length);
  };
  return agentOf('lead', script, { instructions: long('lead is'), tools: [digger, asTool(child) as ToolOffer] });
}

async function heardOf(house: House, path: string, headers = {}): Promise<readonly ReadEvent[]> {
  const all: ReadEvent[] = [];
  for await (const event of parseEvents((await house.wire.send(path, { headers })).chunks)) all.push(event);
  return all;
}

interface Told {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: ReturnType<typeof JSON.parse>;
}

const factsIn = (heard: readonly ReadEvent[]): readonly Told[] => heard.filter(({ data }) => data.kind === 'fact');
const of = (heard: readonly ReadEvent[], type: string, agent = 'lead') =>
  factsIn(heard).filter(({ data }) => data.type === type && data.trace.agentName === agent);

test('facts have the same numbers, and long texts of the inside are heads', async () => {
  const house = await openHouse(hallOf([family()]));
  const id = await house.start('lead', long('please'));
  await house.ended(id);
  const whole = await house.heard(id);
  const brief = await heardOf(house, `/v1/sessions/${id}/events?brief=true`);
  const about = ({ id: number, event, data }: Told) => [number, event, data.seq, data.at, data.op, data.trace];
  expect(factsIn(brief).map(about)).toEqual(factsIn(whole).map(about));
  const [start] = of(brief, 'session-start');
  expect(start?.data).toMatchObject({ isCut: true, system: expect.stringMatching(/^lead is x+…$/) });
  expect(start?.data.messages[0].content[0].text).toBe(long('please'));
  expect(of(brief, 'session-start', 'child')[0]?.data.messages[0].content[0].text).toMatch(/^asked below x+…$/);
  expect(of(brief, 'tool-start')[0]?.data.call.input).toMatch(/^\{"where":"deep x+…$/);
  expect(of(brief, 'tool-end')[0]?.data.result).toMatchObject({ status: 'ok', value: expect.stringMatching(/…$/) });
  expect(of(brief, 'model-end', 'child')[0]?.data.reply.message.content[0].text).toMatch(/^child says x+…$/);
  expect(of(brief, 'model-end')[0]?.data.reply.message.content[0].text).toBe(long('I look'));
  expect(of(brief, 'session-end')).toEqual(of(whole, 'session-end'));
  for (const { data } of factsIn(brief).filter(({ data }) => data.isCut !== true))
    expect(whole.map((event) => event.data)).toContainEqual(data);
  const sizes = [whole, brief].map((heard) => JSON.stringify(factsIn(heard).map(({ data }) => data)).length);
  expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) / 2);
});

test('a later round begins with what was said last; what was said before is in the round before', async () => {
  const house = await openHouse(hallOf([agentOf('echo', ({ messages }) => `${messages.length}`)]));
  const id = await house.start('echo', 'First.');
  await house.ended(id);
  await house.post('/v1/sessions', { session: id, input: 'Second.' });
  await house.ended(id);
  const starts = of(await heardOf(house, `/v1/sessions/${id}/events?brief=true`), 'session-start', 'echo');
  const said = starts.map(({ data }) =>
    data.messages.map((one: { content: { text: string }[] }) => one.content[0]?.text),
  );
  expect(said).toEqual([['First.'], ['Second.']]);
  expect(starts.map(({ data }) => data.isCut)).toEqual([undefined, true]);
});

test('it is taken up again where it broke off, and the words of those below are not told piece by piece', async () => {
  const door = gate();
  const child = agentOf('child', () => ({ text: 'Below.', until: door.opened }));
  const lead = agentOf('lead', (request) => (lastResult(request) ? 'Above.' : call('child', { text: 'go' })), {
    tools: [asTool(child) as ToolOffer],
  });
  const house = await openHouse(hallOf([lead]));
  const id = await house.start('lead');
  const following = heardOf(house, `/v1/sessions/${id}/events?brief=true`, { 'last-event-id': '1' });
  await expect.poll(() => house.hall.live(id)?.followers).toBe(1);
  door.open();
  const heard = await following;
  expect(factsIn(heard)[0]?.id).toBe('2');
  const spoken = heard.filter(({ event }) => event === 'text-delta').map(({ data }) => data.text);
  expect(spoken.join('')).toBe('Above.');
  expect(heard.at(-1)?.event).toBe('end');
});

test('one fact is whole by its number, also before the store has it', async () => {
  const store = new BreakableStore();
  const door = gate();
  const slow = agentOf('slow', () => ({ text: long('said'), until: door.opened }));
  const house = await openHouse(hallOf([slow], { store }));
  const id = await house.start('slow');
  store.hold();
  door.open();
  await expect.poll(() => house.hall.live(id)?.head.endedAt).toBeDefined();
  const live = house.hall.live(id);
  expect(live?.kept).toBeLessThan(live?.count ?? 0);
  const facts: readonly Fact[] = live?.facts() ?? [];
  for (const [i, fact] of facts.entries())
    expect((await house.get(`/v1/sessions/${id}/facts/${i + 1}`)).body).toEqual(JSON.parse(JSON.stringify(fact)));
  store.release();
  await house.ended(id);
  expect((await house.get(`/v1/sessions/${id}/facts/${facts.length}`)).body.type).toBe('session-end');
  for (const number of ['0', String(facts.length + 1), '1x', '-1', '99999999999999999'])
    expect(refusal(await house.get(`/v1/sessions/${id}/facts/${number}`))).toEqual([404, 'route-unknown']);
  expect(refusal(await house.get('/v1/sessions/nobody/facts/1'))).toEqual([404, 'session-unknown']);
  expect(refusal(await house.post(`/v1/sessions/${id}/facts/1`))).toEqual([405, 'method-wrong']);
  expect(refusal(await house.get(`/v1/sessions/${id}/events?brief=yes`))).toEqual([400, 'request-invalid']);
});

test('what clients are not told stays untold where texts are cut', async () => {
  const message = `ENOENT, open '/srv/house/x' ${'y '.repeat(400)}`;
  const look = {
    name: 'look',
    description: 'looks',
    inputSchema: { type: 'object' },
    execute: () => Promise.reject(new AgentError('tool-failed', message)),
  };
  const script = (request: ModelRequest) => (lastResult(request) ? 'Sorry.' : call('look', {}));
  const house = await openHouse(hallOf([agentOf('looker', script, { tools: [look] })]));
  const id = await house.start('looker');
  await house.ended(id);
  const brief = await heardOf(house, `/v1/sessions/${id}/events?brief=true`);
  const [failed] = of(brief, 'tool-end', 'looker');
  expect(failed?.data).toMatchObject({ isCut: true, result: { failure: { code: 'tool-failed' } } });
  expect(JSON.stringify(brief)).not.toContain('srv');
  const number = failed?.id ?? '';
  expect(JSON.stringify((await house.get(`/v1/sessions/${id}/facts/${number}`)).body)).not.toContain('srv');
});
