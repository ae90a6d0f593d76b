// The promise: an agent with a cache answers the same question again for its time, and neither model nor tool is asked.

import {
  type Agent,
  asPartner,
  asTool,
  defineAgent,
  defineTool,
  type ResultCache,
  type ToolSourceFactory,
} from '@ai-agent/core';
import { countingIds } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { hour, isCached, requestsOf, Shared } from './support/caches.ts';
import { agent, factTypes } from './support/walk.ts';

const cache = { ttlMs: hour };

test('the second answer is the first one, at no cost, and says where it is from', async () => {
  const shared = new Shared();
  let looked = 0;
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => `look ${++looked}` });
  const lead = agent('lead', [{ calls: [{ name: 'look', input: {} }] }, 'seen', 'never'], { cache, tools: [look] });
  const first = await shared.watch(lead);
  const again = await shared.watch(lead);
  expect([first.outcome.text, isCached(first.outcome)]).toEqual(['seen', false]);
  expect(again.outcome).toMatchObject({ status: 'completed', text: 'seen', isCached: true });
  expect(again.outcome.usage).toMatchObject({ modelCalls: 0, toolCalls: 0, inputTokens: 0, costUsd: 0 });
  expect([requestsOf(lead), looked]).toEqual([2, 1]);
  expect(factTypes(again.events)).toEqual(['session-start', 'session-end']);
  expect(again.outcome.tree?.isCached).toBe(true);
  expect(first.outcome.tree?.isCached).toBeUndefined();
  const said = again.outcome.conversations[again.outcome.sessionId] ?? [];
  expect(said.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
});

test('without a cache everybody is asked', async () => {
  const shared = new Shared();
  const lead = agent('lead', ['one', 'two']);
  expect([(await shared.ask(lead)).text, (await shared.ask(lead)).text]).toEqual(['one', 'two']);
  expect(shared.puts).toEqual([]);
});

test('a JSON report comes back as the value it was', async () => {
  const shared = new Shared();
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
  const lead = agent('lead', ['{"n": 1}'], { cache, output: { format: 'json', schema } });
  const [one, two] = [await shared.ask(lead), await shared.ask(lead)];
  expect([one.report, two.report, isCached(two)]).toEqual([{ n: 1 }, { n: 1 }, true]);
});

test('a report that came with metadata comes back without it', async () => {
  const shared = new Shared();
  const desk = agent('desk', ['R. <ai-agent-abcd-META plugin="p">{}</ai-agent-abcd-META>'], {
    cache: { ttlMs: hour },
    plugins: [{ name: 'p', requirements: { schema: {}, instructions: 'i' }, onComplete() {} }],
  });
  await shared.ask(desk);
  expect(await shared.ask(desk)).toMatchObject({ text: 'R.', isCached: true });
});

test('when its time is over it is worked out again', async () => {
  const shared = new Shared();
  const lead = agent('lead', ['old', 'new'], { cache });
  await shared.ask(lead);
  shared.clock.advance(hour - 1);
  expect((await shared.ask(lead)).text).toBe('old');
  shared.clock.advance(1);
  expect((await shared.ask(lead)).text).toBe('new');
});

test('a shorter time holds for what was kept under a longer one', async () => {
  const shared = new Shared();
  await shared.ask(agent('lead', ['old'], { cache }));
  shared.clock.advance(2_000);
  expect((await shared.ask(agent('lead', ['new'], { cache: { ttlMs: 2_000 } }))).text).toBe('new');
});

test('with a version nothing is opened for it: no source, no model', async () => {
  const shared = new Shared();
  let [listed, opened] = [0, 0];
  const source: ToolSourceFactory = () => ({
    list() {
      listed++;
      return [];
    },
  });
  const lead = defineAgent({
    name: 'lead',
    instructions: 'You are lead.',
    model: {
      provider: 'p',
      model: 'm',
      open: async () => {
        opened++;
        return agent('any', ['said']).model;
      },
    },
    tools: [source],
    cache: { ...cache, version: '1' },
  });
  const texts = [await shared.ask(lead), await shared.ask(lead)].map(({ text }) => text);
  expect([texts, listed, opened]).toEqual([['said', 'said'], 1, 1]);
  expect((await shared.ask({ ...lead, cache: { ...cache, version: '2' } })).text).toBe('said');
  expect([listed, opened]).toEqual([2, 2]);
});

test('tools that this one session has beside the agent are looked at, whatever the version', async () => {
  const shared = new Shared();
  const lead = agent('lead', ['one', 'two'], { cache: { ...cache, version: '1' } });
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => '' });
  await shared.ask(lead);
  expect((await shared.ask(lead, { tools: [look] })).text).toBe('two');
  expect(isCached(await shared.ask(lead, { tools: [look] }))).toBe(true);
});

test('a sub-agent answers from the cache inside a tree, and its call is an ordinary one', async () => {
  const shared = new Shared();
  const child = agent('child', ['from below'], { cache });
  const call = { calls: [{ name: 'agent__child', input: { reason: 'to know', text: 'what?' } }] };
  const lead = agent('lead', [call, 'first', call, 'second'], { tools: [asTool(child)] });
  const one = await shared.ask(lead);
  const two = await shared.ask(lead);
  expect([one.text, two.text, requestsOf(child)]).toEqual(['first', 'second', 1]);
  const [entry] = two.ledger.entries.filter(({ type }) => type === 'tool');
  expect(entry).toMatchObject({ status: 'ok', isCached: true, sessionId: `${two.sessionId}~1.1` });
  const operation = two.tree?.turns[0]?.operations.find(({ type }) => type === 'tool');
  expect(operation).toMatchObject({
    output: 'from below',
    session: { status: 'completed', isCached: true, turns: [] },
  });
  expect(two.usage.modelCalls).toBe(2);
});

test('with advisors and a handoff none of them is asked again', async () => {
  const shared = new Shared();
  const [advisor, next] = [agent('advisor', ['advice']), agent('next', ['last word'])];
  const lead = agent('lead', ['mine'], { cache, advisors: [asPartner(advisor)], handoff: [asPartner(next)] });
  const [one, two] = [await shared.ask(lead), await shared.ask(lead)];
  expect([one.text, two.text, isCached(two)]).toEqual(['last word', 'last word', true]);
  expect([advisor, lead, next].map(requestsOf)).toEqual([1, 1, 1]);
});

test('a destination of a router and an advisor give their own answers again', async () => {
  const shared = new Shared();
  const [advisor, target] = [agent('advisor', ['advice'], { cache }), agent('target', ['there'], { cache })];
  const over = { calls: [{ name: 'router__handoff-to', input: { agent: 'target' } }] };
  const lead = agent('lead', [over, over], {
    advisors: [asPartner(advisor)],
    router: { destinations: [asPartner(target)] },
  });
  const [one, two] = [await shared.ask(lead), await shared.ask(lead)];
  expect([one.text, two.text, isCached(two)]).toEqual(['there', 'there', false]);
  expect([advisor, target, lead].map(requestsOf)).toEqual([1, 1, 2]);
});

test('so do those who are handed a message or an answer: the tags around it are others each time', async () => {
  const shared = new Shared();
  const last = agent('last', ['the end'], { cache });
  const target = agent('target', ['there'], { cache, handoff: [asPartner(last)] });
  const over = (message: string) => ({ calls: [{ name: 'router__handoff-to', input: { agent: 'target', message } }] });
  const lead = agent('lead', [over('Look.'), over('Look.'), over('Look up.')], {
    router: { destinations: [asPartner(target)] },
  });
  const next = agent('next', ['last word'], { cache });
  const first = agent('first', ['mine', 'mine'], { handoff: [asPartner(next)] });
  const ids = countingIds();
  const askAnew = (each: Agent) => shared.ask(each, { ports: { ...shared.ports, ids } });
  for (const each of [lead, lead, first, first]) await askAnew(each);
  expect([target, last, next].map(requestsOf)).toEqual([1, 1, 1]);
  // Another message is another question.
  expect((await askAnew(lead)).status).toBe('failed');
});

test('a kept child goes on from an answer that was given again', async () => {
  const shared = new Shared();
  const child = agent('child', ['one', 'two', 'three'], { cache, hold: 'kept' });
  const call = (text: string) => ({ calls: [{ name: 'agent__child', input: { reason: 'r', text } }] });
  await shared.ask(agent('lead', [call('first?'), 'end'], { tools: [asTool(child)] }));
  await shared.ask(agent('lead', [call('first?'), call('then?'), 'end'], { tools: [asTool(child)] }));
  expect(requestsOf(child)).toBe(2);
  const said = child.model.requests[1]?.messages.map((message) => JSON.stringify(message)).join();
  expect(said).toMatch(/first\?.*one.*then\?/);
});

const broken: readonly [string, ResultCache][] = [
  ['throws', { get: () => fail(), put: () => fail() }],
  ['rejects', { get: async () => fail(), put: async () => fail() }],
  ['never answers', { get: () => new Promise(() => {}), put: () => new Promise(() => {}) }],
  ['gives what is no answer', { get: () => '{"at":1e99,"response":{"text":1}}', put: () => {} }],
  ['gives what is no JSON', { get: () => '{', put: () => {} }],
];

function fail(): never {
  throw new TypeError('broken');
}

test.each(broken)('a cache that %s costs no answer', async (_how, bad) => {
  const shared = new Shared(bad);
  const lead = agent('lead', ['one', 'two'], { cache });
  expect([(await shared.ask(lead)).text, (await shared.ask(lead)).text]).toEqual(['one', 'two']);
});

test('a report that breaks its contract is not given, whoever wrote it there', async () => {
  const response = { text: '{"n":"x"}', report: { n: 'x' } };
  const shared = new Shared({ get: () => JSON.stringify({ at: 1e99, response }), put: () => {} });
  const schema = { type: 'object', properties: { n: { type: 'number' } } };
  const lead = agent('lead', ['{"n": 1}'], { cache, output: { format: 'json', schema } });
  expect((await shared.ask(lead)).report).toEqual({ n: 1 });
});

test('clocks of two runs may differ by a moment; an answer from the future is not given', async () => {
  const shared = new Shared();
  const lead = agent('lead', ['first', 'second'], { cache });
  await shared.ask(lead);
  shared.clock.setWallClock(shared.clock.now() - 1);
  expect(isCached(await shared.ask(lead))).toBe(true);
  shared.clock.setWallClock(shared.clock.now() - hour / 2);
  expect((await shared.ask(lead)).text).toBe('second');
});
