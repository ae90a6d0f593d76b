// A history that broke off can be gone on with: wherever its session was killed, every provider takes it, and nothing that was done is hidden.

import {
  type Agent,
  type AgentEvent,
  asPartner,
  asTool,
  continuationOf,
  defaultTexts,
  defineTool,
  type Fact,
  MemoryCache,
  type Message,
  nextRound,
  type SessionHead,
  type SessionStore,
} from '@ai-agent/core';
import { countingIds, FakeClock, fakePorts, type Script } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { expectOrder, say } from './support/long-talks.ts';
import { agent, walk } from './support/walk.ts';

const isFact = (event: AgentEvent): event is Fact => event.kind === 'fact';
const head = (more: Partial<SessionHead> = {}): SessionHead => ({
  ...{ id: 's1', agent: 'lead', owner: null, headend: 'test', isDetached: false, status: 'interrupted' },
  ...{ createdAt: 0, facts: 0, resumptions: 0 },
  ...more,
});
const of = async (facts: readonly Fact[], more: Partial<SessionHead> = {}) =>
  (await continuationOf({ facts: (_, after = 0) => facts.slice(after) }, head(more))).history;

const look = (name: string) => defineTool({ name, inputSchema: { type: 'object' }, execute: () => `${name} is seen` });
const both = { calls: [{ name: 'left' }, { name: 'right' }], text: 'both' };
const tools = [look('left'), look('right')];

async function factsOf(script: Script, more: Partial<Agent> = {}, options: Parameters<typeof walk>[2] = {}) {
  const { events, outcome } = await walk(agent('lead', script, more), 'go', options);
  return { facts: events.filter(isFact), outcome };
}

test('killed after any of its facts, it is one that every provider takes', async () => {
  const child = agent('child', [{ calls: [{ name: 'left' }] }, 'child is done'], { tools });
  const calls = [{ name: 'left' }, { name: 'agent__child', input: { reason: 'r' } }];
  const { facts } = await factsOf([both, { calls }, both, 'done'], { tools: [...tools, asTool(child)] });
  for (let killed = 1; killed <= facts.length; killed++) {
    const history = await of(facts.slice(0, killed));
    expectOrder(history);
    const next = agent('lead', ['going on'], { tools });
    const { outcome } = await walk(next, 'and now?', { history });
    expect(outcome).toMatchObject({ status: 'completed', text: 'going on' });
    expectOrder(next.model.requests[0]?.messages ?? []);
  }
});

test('killed in the middle of a batch, the model reads the results that were recorded', async () => {
  const calls = ['left', 'right'].map((tool) => ({ id: tool, tool, parameters: {} }));
  const batch = { calls: [{ name: 'agent__batch', id: 'b1', input: { calls } }] };
  const { facts } = await factsOf([batch, 'done'], { tools, batch: true });
  const firstEnd = facts.findIndex(({ type }) => type === 'tool-end');
  const resultOf = async (count: number) => {
    const [result] = (await of(facts.slice(0, count))).flatMap((message) =>
      message.role === 'tool' ? message.content : [],
    );
    return result;
  };
  const partial = await resultOf(firstEnd + 1);
  expect(partial).toMatchObject({ id: 'b1', name: 'agent__batch', isError: false });
  expect(JSON.parse(partial?.text ?? '')).toMatchObject({
    results: [
      { id: 'left', ok: true, output: 'left is seen' },
      { id: 'right', ok: false, error: { code: 'INTERRUPTED', message: defaultTexts.interruptedCall } },
    ],
  });
  expect(await resultOf(firstEnd)).toMatchObject({ isError: true, text: defaultTexts.interruptedCall });
});

describe('calls that nobody answered', () => {
  const resultsIn = (history: readonly Message[]) =>
    history.flatMap((message) => (message.role === 'tool' ? message.content : []));

  test('say so beside those that were', async () => {
    const { facts } = await factsOf([both, 'done'], { tools });
    const at = facts.findIndex(({ type }) => type === 'tool-end');
    const history = await of(facts.slice(0, at + 1));
    expect(resultsIn(history)).toEqual([
      { type: 'tool-result', id: 'call_1_1', name: 'left', text: 'left is seen', isError: false },
      { type: 'tool-result', id: 'call_1_2', name: 'right', text: defaultTexts.interruptedCall, isError: true },
    ]);
  });

  test('say so when none was', async () => {
    const { facts } = await factsOf([both, 'done'], { tools });
    const at = facts.findIndex(({ type }) => type === 'tool-start');
    const history = await of(facts.slice(0, at + 1));
    expect(resultsIn(history).map(({ text }) => text)).toEqual([
      defaultTexts.interruptedCall,
      defaultTexts.interruptedCall,
    ]);
    expect(JSON.stringify(history)).toContain('both');
  });

  test('say so in other words where these are handed in', async () => {
    const { facts } = await factsOf([both, 'done'], { tools });
    const at = facts.findIndex(({ type }) => type === 'tool-start');
    const { history } = await continuationOf({ facts: () => facts.slice(0, at) }, head(), {
      interruptedCall: 'Unterbrochen.',
    });
    expect(resultsIn(history)[0]?.text).toBe('Unterbrochen.');
  });

  test('say so in the words of the agent, whoever goes on with it', async () => {
    const { facts } = await factsOf([both, 'done'], { tools });
    const at = facts.findIndex(({ type }) => type === 'tool-start');
    const store = { facts: () => facts.slice(0, at), claim: () => true, put: () => {} } as unknown as SessionStore;
    const texts = { interruptedCall: 'Unterbrochen.' };
    const keeper = { store, texts, clock: new FakeClock(), ids: countingIds(), onBug: () => {} };
    const { given } = await nextRound(keeper, head(), { prompt: 'And now?' });
    expect(resultsIn(given.history ?? [])[0]?.text).toBe('Unterbrochen.');
  });
});

describe('what was answered is known in the next round', () => {
  const last = async (facts: readonly Fact[], more?: Partial<SessionHead>) => (await of(facts, more)).at(-1);

  test('as JSON', async () => {
    const { facts } = await factsOf(['{"sum": 4}'], { output: { format: 'json' } });
    expect(await last(facts)).toEqual(say('assistant', '{"sum": 4}'));
  });

  test('as JSON that the caller asked for', async () => {
    const { facts } = await factsOf(['it is four', '{"sum": 4}'], {}, { output: { format: 'json' } });
    expect(await last(facts)).toEqual(say('assistant', '{"sum": 4}'));
  });

  test('by the destination of a router', async () => {
    const sales = agent('sales', ['we sell it']);
    const router = { destinations: [asPartner(sales)] };
    const calls = [{ name: 'router__handoff-to', input: { agent: 'sales' } }];
    const { facts, outcome } = await factsOf([{ calls }], { router });
    expect(outcome).toMatchObject({ status: 'completed', text: 'we sell it' });
    expect(await last(facts)).toEqual(say('assistant', 'we sell it'));
    expectOrder(await of(facts));
    expect(outcome.conversations.s1?.at(-1)).toEqual(say('assistant', 'we sell it'));
  });

  test('by the last of a chain, and not by those before it', async () => {
    const handoff = [asPartner(agent('editor', ['edited'])), asPartner(agent('printer', ['printed']))];
    const { facts } = await factsOf(['a draft'], { handoff });
    expect(await of(facts)).toEqual([say('user', 'go'), say('assistant', 'printed')]);
  });

  test('by itself, where the one after it failed', async () => {
    const handoff = [asPartner(agent('editor', [{ fail: { code: 'model-auth' } }]))];
    const { facts, outcome } = await factsOf(['a draft'], { handoff });
    expect(outcome.status).toBe('failed');
    expect(await of(facts)).toEqual([say('user', 'go'), say('assistant', 'a draft')]);
  });

  test('by itself, once, where a limit left the one after it without a word', async () => {
    const handoff = [asPartner(agent('editor', [], { budget: { turns: 0 } }))];
    const { outcome } = await factsOf(['a draft'], { handoff });
    expect(outcome).toMatchObject({ status: 'partial', text: 'a draft' });
    expect(outcome.conversations.s1?.slice(1)).toEqual([say('user', 'go'), say('assistant', 'a draft')]);
  });

  test('with advice, which stands in the prompt', async () => {
    const { facts } = await factsOf(['done'], { advisors: [asPartner(agent('wise', ['be careful']))] });
    const history = await of(facts);
    expect(history).toHaveLength(2);
    expect(JSON.stringify(history[0])).toContain('be careful');
  });

  test('by an answer that was given again', async () => {
    const ports = fakePorts();
    const cache = new MemoryCache(ports.clock);
    const one = { cache: { ttlMs: 3_600_000 } };
    const lead = agent('lead', ['first'], one);
    const shared = { ports: { ...ports, cache } };
    await walk(lead, 'go', shared);
    const { events, outcome } = await walk(lead, 'go', shared);
    expect(outcome).toMatchObject({ isCached: true });
    const facts = events.filter(isFact);
    const { history } = await continuationOf({ facts: () => facts }, head());
    expect(history).toEqual([say('user', 'go'), say('assistant', 'first')]);
  });

  test('as far as it was written when it was cancelled', async () => {
    const { facts } = await factsOf([both, 'done'], { tools });
    const at = facts.findLastIndex(({ type }) => type === 'model-start');
    expect(await last(facts.slice(0, at), { draft: 'half of an answ' })).toEqual(say('assistant', 'half of an answ'));
    expectOrder(await of(facts.slice(0, at), { draft: 'half of an answ' }));
  });

  test('in place of a draft that others went on from', async () => {
    const { facts } = await factsOf(['a draft'], { handoff: [asPartner(agent('editor', ['edited']))] });
    const at = facts.findIndex((fact) => fact.type === 'turn-start' && fact.step === 'handoff');
    expect(await of(facts.slice(0, at + 1), { draft: 'half edited' })).toEqual([
      say('user', 'go'),
      say('assistant', 'half edited'),
    ]);
  });
});

describe('rounds', () => {
  test('the last one has all that came before', async () => {
    const first = await factsOf(['hello']);
    const history = await of(first.facts);
    const { events } = await walk(agent('lead', ['again']), 'more', { history, sessionId: 's1-2' });
    const all = [...first.facts, ...events.filter(isFact)];
    expect(await of(all, { earlierFacts: first.facts.length, resumptions: 1 })).toEqual([
      say('user', 'go'),
      say('assistant', 'hello'),
      say('user', 'more'),
      say('assistant', 'again'),
    ]);
  });

  test('one that never began leaves what was before', async () => {
    const { facts } = await factsOf(['hello']);
    const history = await of(facts, { earlierFacts: facts.length, resumptions: 1 });
    expect(history).toEqual([say('user', 'go'), say('assistant', 'hello')]);
  });

  test('one of which nothing was told has no history', async () => {
    expect(await of([])).toEqual([]);
  });

  test('one that was killed before its first reply has the prompt', async () => {
    const { facts } = await factsOf(['hello']);
    expect(await of(facts.slice(0, 2))).toEqual([say('user', 'go')]);
  });
});
