// A call that is stopped, late or asked somebody has the same records and sums when it is given back from a journal.

import {
  type Agent,
  defineTool,
  type Fact,
  fail,
  inProcess,
  journaled,
  MemoryJournal,
  type Outcome,
  opTreeOf,
  runInside,
  type ToolContext,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { TreeBudget } from '../src/budget/tree-budget.ts';
import { agent, inItsTime, nextTick, start } from './support/walk.ts';

const calling = (name: string): Script => [{ calls: [{ name }] }, 'done'];
const tool = (name: string, execute: (context: ToolContext) => unknown, more: object = {}) =>
  defineTool({
    name,
    inputSchema: { type: 'object' },
    execute: (_args, context) => execute(context) as never,
    ...more,
  });

type Options = NonNullable<Parameters<typeof start>[2]>;

async function run(lead: Agent, journal: MemoryJournal, more: Options & { stopAt?: (fact: Fact) => boolean } = {}) {
  const { stopAt, ports = fakePorts(), ...options } = more;
  const facts: Fact[] = [];
  const runtime = strict(journaled(inProcess, journal), { nextTick });
  const { outcome, stop } = start(lead, 'go', {
    sessionId: 'run',
    runtime,
    ports,
    ...options,
    onFact: (fact) => {
      facts.push(fact);
      if (stopAt?.(fact)) stop();
    },
  });
  return { outcome: await inItsTime(ports.clock as FakeClock, outcome), facts };
}

/** The same entries as another process would read them, perhaps not all of them. */
const read = (journal: MemoryJournal, isRead = (_key: string) => true) =>
  new MemoryJournal(JSON.parse(JSON.stringify([...journal.entries].filter(([key]) => isRead(key)))));

const named = (facts: readonly Fact[]) => facts.map(({ trace, seq, type }) => `${trace.selfId} ${seq} ${type}`).sort();

function expectSame(first: { outcome: Outcome; facts: Fact[] }, second: { outcome: Outcome; facts: Fact[] }): void {
  expect(second.outcome.status).toBe(first.outcome.status);
  expect(second.outcome.usage).toEqual(first.outcome.usage);
  expect(second.outcome.ledger.total).toEqual(first.outcome.ledger.total);
  expect(first.outcome.usage).toEqual(first.outcome.ledger.total);
  expect(named(second.facts)).toEqual(named(first.facts));
  expect(opTreeOf(second.facts)).toEqual(opTreeOf(first.facts));
}

describe('sessions inside a call that was stopped', () => {
  const endless = () =>
    agent('oracle', [{ calls: [{ name: 'leaf' }] }, { until: new Promise(() => {}) }], {
      tools: [tool('leaf', () => 'leaf')],
    });
  const consult = () => tool('consult', async (context) => (await runInside(endless(), 'x', { context })).text);
  const stopAt = (fact: Fact) => fact.type === 'model-start' && fact.trace.selfId === 'run~1.1.1' && fact.turn === 2;

  test('are part of its record: told and counted again', async () => {
    const journal = new MemoryJournal();
    const first = await run(agent('lead', calling('consult'), { tools: [consult()] }), journal, { stopAt });
    expect(first.outcome).toMatchObject({ status: 'partial', usage: { modelCalls: 3, toolCalls: 2 } });
    const [end] = first.facts.flatMap((fact) =>
      fact.type === 'tool-end' && fact.trace.selfId === 'run' ? [fact] : [],
    );
    expect(end?.result).toMatchObject({ status: 'failed', failure: { code: 'stopped' }, inside: { sessions: 1 } });
    const second = await run(agent('lead', calling('consult'), { tools: [consult()] }), read(journal));
    expectSame(first, second);
  });

  test('and nothing waits for work beside them that does not listen', async () => {
    const deaf = tool('consult', async (context) => {
      await Promise.allSettled([runInside(endless(), 'x', { context })]);
      await new Promise(() => {});
    });
    const journal = new MemoryJournal();
    const first = await run(agent('lead', calling('consult'), { tools: [deaf] }), journal, { stopAt });
    expect(first.outcome).toMatchObject({ status: 'partial', usage: { modelCalls: 3 } });
    expectSame(first, await run(agent('lead', calling('consult'), { tools: [deaf] }), read(journal)));
  });
});

describe('the time that a call waited', () => {
  const lead = (clock: FakeClock, script: Script, answered = 'asker') =>
    agent('lead', script, {
      tools: [
        tool(answered, async ({ ask }) => {
          await new Promise<void>((resolve) => void clock.after(700, resolve));
          return String(await ask({ text: 'Who?' }));
        }),
      ],
    });

  async function live(journal: MemoryJournal, isSlow = true) {
    const clock = new FakeClock();
    const onQuestion = () => new Promise((resolve) => void clock.after(3_600_000, () => resolve('me')));
    const script: Script = ({ messages }) => {
      if (isSlow) clock.advance(1_000);
      return messages.length > 1 ? 'done' : { calls: [{ name: 'asker' }] };
    };
    return run(lead(clock, script), journal, { ports: fakePorts({ clock }), onQuestion, budget: { timeMs: 60_000 } });
  }

  test('is no work after a restart either', async () => {
    const journal = new MemoryJournal();
    const first = await live(journal);
    expect(first.outcome.status).toBe('completed');
    const second = await live(read(journal, (key) => !/turn\.2/.test(key)));
    expect(second.outcome).toMatchObject({ status: 'completed', text: 'done' });
  });

  test.each([
    ['hides nothing that others worked beside it', false, 2_000],
    ['is beside what sessions in it worked, which counts once', true, 5_000],
  ] as const)('%s', async (_name, thinks, workedMs) => {
    const used: number[] = [];
    const go = async (journal: MemoryJournal) => {
      const clock = new FakeClock();
      const late = (ms: number) => () => new Promise<string>((resolve) => void clock.after(ms, () => resolve('late')));
      const model = scriptedModel(() => ({ text: 'thought', latencyMs: 5_000 }), { clock });
      const asker = tool('asker', async (context) => {
        await context.ask({ text: 'Who?' });
        return thinks ? (await runInside({ ...agent('thinker', []), model }, 'x', { context })).text : 'asked';
      });
      const calls = thinks ? [{ name: 'asker' }] : [{ name: 'asker' }, { name: 'worker' }];
      const tools = [asker, tool('worker', late(2_000))];
      const budget = new TreeBudget(clock);
      const stopAt = ({ type, trace }: Fact) => {
        if (type === 'turn-end' && trace.selfId === 'run') used.push(budget.spentBy('run').timeMs);
        return false;
      };
      const options = { ports: { ...fakePorts({ clock }), budget }, budget: { timeMs: 60_000 }, stopAt };
      return run(agent('lead', [{ calls }, 'done'], { tools }), journal, { ...options, onQuestion: late(600_000) });
    };
    const journal = new MemoryJournal();
    expect((await go(journal)).outcome.status).toBe('completed');
    expect((await go(read(journal))).outcome.status).toBe('completed');
    expect(used).toEqual([workedMs, workedMs, workedMs, workedMs]);
  });

  test('is told with its result, and is not in the sums', async () => {
    const journal = new MemoryJournal();
    const first = await live(journal, false);
    const end = first.facts.find((fact) => fact.type === 'tool-end');
    expect(end).toMatchObject({ result: { status: 'ok', waitedMs: 3_600_000 } });
    expect(first.outcome.usage.toolMs).toBe(700);
    expectSame(first, await live(read(journal), false));
  });
});

test('sessions inside a call that failed for want of budget were made, also after a restart', async () => {
  const greedy = tool('consult', async (context) => {
    await runInside(
      agent('oracle', () => 'yes'),
      'x',
      { context },
    );
    await runInside(
      agent('oracle', () => 'yes'),
      'x',
      { context },
    );
    return fail('The budget is used up.', { class: 'budget' });
  });
  const script: Script = ({ messages }) =>
    messages.filter(({ role }) => role === 'tool').length > 1 ? 'done' : { calls: [{ name: 'consult' }] };
  const lead = () => agent('lead', script, { tools: [greedy] });
  const journal = new MemoryJournal();
  const budget = { descendants: 3 };
  const first = await run(lead(), journal, { budget });
  const second = await run(
    lead(),
    read(journal, (key) => !/turn\.[23]/.test(key)),
    { budget },
  );
  const sessions = ({ outcome }: { outcome: Outcome }) => Object.keys(outcome.ledger.bySession).length - 1;
  expect([sessions(first), sessions(second)]).toEqual([3, 3]);
});
