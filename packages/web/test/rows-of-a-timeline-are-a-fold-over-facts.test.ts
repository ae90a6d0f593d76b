// The rows of the timeline, without a browser: sub-agents and their calls are one, turns of one model call are that call.

import {
  type AgentEvent,
  AIAgentSession,
  ask,
  asTool,
  defineTool,
  type Fact,
  LedgerFold,
  ledgerOf,
  noTotals,
  shortCost,
} from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { defaultPorts } from '../../cli/src/platform.ts';
import { usageWords } from '../src/app/time.ts';
import { titleWords } from '../src/app/title.ts';
import { LiveSigns } from '../src/session/live-signs.ts';
import { Round } from '../src/session/round.ts';
import { type Expansion, untouched, withAll, withOpen } from '../src/timeline/expansion.ts';
import { countIn, figuresInWords } from '../src/timeline/figures.ts';
import { toMove } from '../src/timeline/moves.ts';
import { inWords, standingOfSession } from '../src/timeline/row-status.ts';
import { type Row, toRows } from '../src/timeline/rows.ts';
import { ticksWithRoom, toScale } from '../src/timeline/scale.ts';
import { toShares } from '../src/timeline/shares.ts';
import { toTitle } from '../src/timeline/titles.ts';

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 50 };
const look = defineTool({
  name: 'look',
  description: 'Looks',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
  execute: ({ at }) => {
    if (at === 'nowhere') throw new Error('There is nothing.');
    return 'Seen.';
  },
});

test('the tree reads lead, turn, model call, tool call, sub-agent; instances have their titles and what they used', async () => {
  const [facts, hints] = await run();
  const rows = rowsOf(facts, hints);
  expect(rows.map(({ level, kind, label, title }) => `${level} ${kind} ${label}: ${title}`)).toEqual([
    '1 session lead: Go',
    '2 turn Turn 1: ',
    '3 model test/big: I ask two.',
    '3 session scout[1]: the north',
    '4 turn Turn 1: ',
    '5 model test/small: ',
    '5 tool look: at: here',
    '4 model Turn 2 · test/small: Found.',
    '3 session scout[2]: the south',
    '4 turn Turn 1: ',
    '5 model test/small: ',
    '5 tool look: at: nowhere',
    '4 model Turn 2 · test/small: Found.',
    '2 model Turn 2 · test/big: All is known.',
  ]);
  const [lead, turn, , scout] = rows;
  expect(lead?.figures).toMatchObject({ inputTokens: 600, costUsd: expect.closeTo(0.05), unknownCostCalls: 1 });
  expect(turn?.figures).toMatchObject({ inputTokens: 500 });
  expect(scout).toMatchObject({ position: 2, siblings: 3, isOpen: true, figures: { inputTokens: 200 } });
  expect(rows.map(({ standing }) => inWords(standing)).filter((words) => words !== 'done')).toEqual(['failed: tool']);
});

test('what is closed has nothing below it; keys open, close and go', async () => {
  const [facts, hints] = await run();
  const closed = rowsOf(facts, hints, withAll(false));
  expect(closed.map(({ label, isOpen }) => `${label} ${isOpen}`)).toEqual(['lead false']);
  const id = closed[0]?.id ?? '';
  expect(toMove(closed, 0, 'ArrowRight')).toEqual({ type: 'turn', id, isOpen: true });
  const open = rowsOf(facts, hints, withOpen(withAll(false), [id], true));
  expect(open.map(({ label }) => label)).toEqual(['lead', 'Turn 1', 'Turn 2 · test/big']);
  expect(toMove(open, 0, 'ArrowRight')).toEqual({ type: 'go', index: 1 });
  expect(toMove(open, 2, 'ArrowLeft')).toEqual({ type: 'go', index: 0 });
  expect(toMove(open, 0, 'End')).toEqual({ type: 'go', index: 2 });
  expect(toMove(open, 2, 'Enter')).toEqual({ type: 'select', id: open[2]?.id });
});

test('what began and has not ended runs while the session does, and was interrupted when that is gone', async () => {
  const [facts] = await run();
  const cut = facts.slice(
    0,
    facts.findIndex(({ type }) => type === 'tool-end'),
  );
  const scene = { ...sceneOf(cut), expansion: untouched };
  const words = (isAtWork: boolean) => toRows({ ...scene, isAtWork }).map(({ standing }) => inWords(standing));
  expect(words(true)).toContain('running');
  expect(words(true)).not.toContain('interrupted');
  expect(words(false)).toContain('interrupted');
  expect(words(false)).not.toContain('running');
  const asked = facts.slice(
    0,
    facts.findIndex(({ type }) => type === 'model-end'),
  );
  const rows = (isAtWork: boolean) => toRows({ ...sceneOf(asked), expansion: untouched, isAtWork });
  expect(rows(true).at(-1)?.figures).toBeUndefined();
  expect(rows(false).at(-1)?.figures).toMatchObject({ unknownCostCalls: 1, unknownUsageCalls: 1 });
});

test('a call is in the ledger or under way, never in both and never in neither', async () => {
  const [facts] = await run();
  // The last call of a scout is cut off: nothing tells its end but that of its session.
  const isCut = (fact: Fact) => fact.type === 'model-end' && fact.trace.instanceName === 'scout[2]' && fact.turn === 2;
  const told = facts.filter((fact) => !isCut(fact));
  expect(told.length).toBe(facts.length - 1);
  const fold = new LedgerFold();
  const sumOf = ({ modelCalls, toolCalls }: LedgerFold['underWay']) => modelCalls + toolCalls;
  let before = 0;
  for (const fact of told) {
    fold.add(fact);
    const sum = sumOf(fold.ledger().total) + sumOf(fold.underWay);
    expect(sum - before).toBe(/^(model|tool)-start$/.test(fact.type) ? 1 : 0);
    before = sum;
  }
  // One that was cut off whole is in the ledger alone.
  const asked = facts.slice(0, facts.findIndex(({ type }) => type === 'model-start') + 1);
  const cut = new LedgerFold();
  for (const fact of asked) cut.add(fact);
  expect(cut.underWay).toEqual({ modelCalls: 1, toolCalls: 0 });
  cut.cutOff();
  expect(cut.underWay).toEqual({ modelCalls: 0, toolCalls: 0 });
  expect(sumOf(cut.ledger().total)).toBe(1);
});

test('each of several rounds is a row; the earlier ones are closed at first', async () => {
  const [first] = await run();
  const [second] = await run();
  const { ledger, live } = sceneOf([...first, ...second]);
  const rounds = [roundOf(first, 1), roundOf(second, 2)];
  const rows = toRows({ rounds, ledger, live, expansion: untouched, isAtWork: false });
  expect(rows.filter(({ level }) => level === 1).map(({ label, isOpen }) => `${label} ${isOpen}`)).toEqual([
    'Round 1 false',
    'Round 2 true',
  ]);
});

test('a round is done again from what it was asked, or from the first turn that asked its model', async () => {
  const [facts] = await run();
  const [start, ...others] = facts;
  if (start?.type !== 'session-start') throw new Error('Nothing began.');
  const fromAnswer = { ...start, messages: [...start.messages, { role: 'tool' as const, content: [] }] };
  expect(roundOf([start], 1).isRepeatable).toBe(true);
  expect(roundOf([fromAnswer], 2).isRepeatable).toBe(false);
  expect(roundOf([fromAnswer, ...others], 2).isRepeatable).toBe(true);
});

test('a round that asked was answered when another goes on; no word is said twice', async () => {
  const [session] = rowsOf(...(await run())).map(({ node }) => node.session);
  if (!session) throw new Error('Nothing began.');
  const asking = { ...session, status: 'needs_user_input' as const };
  expect(inWords(standingOfSession(asking, { isLive: false, isLast: true }))).toBe('waits for an answer');
  expect(inWords(standingOfSession(asking, { isLive: true, isLast: false }))).toBe('answered');
  expect(inWords({ status: 'cancelled', reason: 'cancelled' })).toBe('cancelled');
  expect(inWords({ status: 'refused', reason: 'tool' })).toBe('refused');
  expect(inWords({ status: 'partial', reason: 'stop' })).toBe('stopped');
  expect(inWords({ status: 'partial', reason: 'maxTurns' })).toBe('cut short: maxTurns');
});

test('an earlier answer that is given again is marked, and costs nothing', async () => {
  const model = scriptedModel([{ text: 'Seven.', usage, costUsd: 0.01 }]);
  const agent = { name: 'count', description: 'Counts', instructions: 'Count.', model, cache: { ttlMs: 60_000 } };
  const ports = defaultPorts();
  await ask(agent, 'How many?', { ports });
  const facts: Fact[] = [];
  for await (const event of new AIAgentSession({ agent, ports }).run('How many?').events)
    if (event.kind === 'fact') facts.push(event);
  const [row] = rowsOf(facts, facts);
  expect(row && inWords(row.standing)).toBe('from cache');
  expect(row?.figures && figuresInWords(row.figures)).toEqual(['0 tokens', '$0']);
});

test('titles are without the signs of JSON and Markdown', () => {
  expect(toTitle('{"name":"Ann","pets":[{"kind":"cat"}]}')).toBe('name: Ann, pets: kind: cat');
  expect(toTitle('{"name":"Ann","text":"a lo')).toBe('name: Ann, text: a lo');
  expect(toTitle('{"text":"one\\ntwo","a')).toBe('text: one two, a');
  expect(titleWords('{"text":"one\\ntwo","path":"C:\\\\new')).toBe('text: one two, path: C: \\new');
  expect(toTitle('# Plan\n\nWrite **it** in `main.ts`, issue #4')).toBe('Plan Write it in main.ts, issue #4');
});

test('two who answer one after the other for the same session do not write into one text', async () => {
  const [, told] = await run();
  const delta = told.find((event) => event.type === 'text-delta');
  if (delta?.type !== 'text-delta') throw new Error('Nothing was written.');
  const live = new LiveSigns();
  const writes = (selfId: string, text: string) =>
    live.hear({ ...delta, answers: 'root', turn: 1, attempt: 1, text, trace: { ...delta.trace, selfId } });
  writes('first', 'I hand ');
  writes('first', 'over.');
  expect(live.textOf('root')).toBe('I hand over.');
  writes('second', 'Here ');
  writes('second', 'it is.');
  expect(live.textOf('root')).toBe('Here it is.');
});

test('what a call said while it waited is not shown while it works', async () => {
  const [facts] = await run();
  const start = facts.find((fact) => fact.type === 'tool-start');
  if (start?.type !== 'tool-start') return expect.fail('No tool was called.');
  const { trace, op } = start;
  const hint = { kind: 'hint' as const, trace, op, at: start.at, turn: start.turn, index: start.index, seq: 0 };
  const untilThen = facts.slice(0, facts.indexOf(start) + 1);
  const waits = { ...hint, type: 'tool-progress', text: 'Waits in the queue of this tool.' } as unknown as AgentEvent;
  const begins = { ...hint, type: 'operation-start' } as unknown as AgentEvent;
  const noteOf = (told: readonly AgentEvent[]) => rowsOf(untilThen, told).find(({ id }) => id.endsWith(op))?.note;
  expect([noteOf([waits]), noteOf([waits, begins])]).toEqual(['Waits in the queue of this tool.', undefined]);
});

test('two agents of one name are told apart', async () => {
  const call = (name: string) => ({ name: `agent__${name}`, input: { text: name, reason: name } });
  const plain = (name: string) => ({ name, description: name, instructions: name });
  const callers = ['x', 'y'].map((name) => {
    const kid = { ...plain('kid'), id: `kid-${name}`, path: `${name}/kid`, model: scriptedModel(['yes']) };
    return asTool({ ...plain(name), tools: [asTool(kid)], model: scriptedModel([{ calls: [call('kid')] }, 'done']) });
  });
  const model = scriptedModel([{ calls: [call('x'), call('y')] }, 'done']);
  const lead = { ...plain('lead'), tools: callers, model };
  const facts: Fact[] = [];
  const events = new AIAgentSession({ agent: lead, ports: defaultPorts() }).run('go').events;
  for await (const event of events) if (event.kind === 'fact') facts.push(event);
  const labels = rowsOf(facts, []).map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(['x/kid', 'y/kid']));
});

test('tokens that nobody knows are not told as none', () => {
  const totals = { ...noTotals, modelCalls: 2, unknownUsageCalls: 1, unknownCostCalls: 2 };
  expect(countIn(0, totals)).toBe('?');
  expect(countIn(1_500, totals)).toBe('1.5k+?');
  expect(toShares({ lead: totals, scout: noTotals }).map(({ amount }) => amount)).toEqual(['? tokens']);
});

test('money is unknown if its sum is 0 and misses calls, and a sum that misses calls says so', () => {
  const totals = { ...noTotals, modelCalls: 2, unknownCostCalls: 1 };
  expect(shortCost(totals, 'unknown')).toBe('unknown');
  expect([figuresInWords(totals)[1], usageWords(totals)[1]]).toEqual(['cost unknown', 'cost unknown']);
  const known = { ...totals, costUsd: 0.5 };
  expect([shortCost(known, 'unknown'), figuresInWords(known)[1], usageWords(known)[1]]).toEqual(
    Array(3).fill('$0.5000+?'),
  );
});

test('tokens are unknown only if none are known', () => {
  const totals = { ...noTotals, modelCalls: 1, unknownUsageCalls: 1 };
  expect(usageWords(totals)[0]).toBe('tokens unknown');
  expect(usageWords({ ...totals, inputTokens: 1_500 })[0]).toBe('1.5k+? tokens');
});

async function run(): Promise<readonly [readonly Fact[], readonly AgentEvent[]]> {
  const scout = {
    name: 'scout',
    description: 'Scouts',
    instructions: 'Scout.',
    tools: [look],
    model: scriptedModel(
      ({ messages }) =>
        messages.at(-1)?.role === 'user'
          ? { calls: [{ name: 'look', input: { at: asksSouth(messages) ? 'nowhere' : 'here' } }], usage, costUsd: 0.01 }
          : { text: 'Found.', usage, costUsd: 0.01 },
      { provider: 'test', model: 'small' },
    ),
  };
  const calls = ['the north', 'the south'].map((reason) => ({ name: 'agent__scout', input: { reason, text: reason } }));
  const model = scriptedModel(
    [
      { text: 'I ask two.', calls, usage, costUsd: 0.01 },
      { text: 'All is known.', usage },
    ],
    {
      provider: 'test',
      model: 'big',
    },
  );
  const agent = { name: 'lead', description: 'Leads', instructions: 'Lead.', tools: [asTool(scout)], model };
  const { events } = new AIAgentSession({ agent, ports: defaultPorts() }).run('Go');
  const told: AgentEvent[] = [];
  for await (const event of events) told.push(event);
  return [told.filter((event) => event.kind === 'fact'), told];
}

function asksSouth(messages: readonly unknown[]): boolean {
  return JSON.stringify(messages).includes('the south');
}

function rowsOf(facts: readonly Fact[], told: readonly AgentEvent[], expansion: Expansion = untouched): readonly Row[] {
  return toRows({ ...sceneOf(facts, told), expansion, isAtWork: false });
}

function sceneOf(facts: readonly Fact[], told: readonly AgentEvent[] = []) {
  const live = new LiveSigns();
  for (const event of told) live.hear(event);
  return { rounds: [roundOf(facts, 1)], ledger: ledgerOf(facts), live };
}

function roundOf(facts: readonly Fact[], number: number): Round {
  const start = facts.find((fact) => fact.type === 'session-start');
  if (!start) throw new Error('Nothing began.');
  const round = new Round(start, number);
  for (const fact of facts) round.add(fact);
  return round;
}

test.each([
  [600, ['0', '500 ms', '1 s', '1.5 s']],
  [133, ['0', '1 s']],
  [30, ['0']],
])('of the times above it, on %d pixels, are those that have room beside each other', (pixels, labels) => {
  const ticks = ticksWithRoom(toScale(0, 1_700, false), pixels);
  expect(ticks.flatMap(({ label }) => (label === '' ? [] : [label]))).toEqual(labels);
});
