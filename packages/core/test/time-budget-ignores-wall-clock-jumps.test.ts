// A time budget counts time that passed: a jump of the wall clock neither ends a run early nor lets it run on, nor does a restart.

import { type Agent, AIAgentSession, defineTool, type Fact, inProcess, journaled, MemoryJournal } from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { inItsTime, nextTick } from './support/walk.ts';

const hourMs = 3_600_000;
const firstWallClock = 1_700_000_000_000;

/** Calls two tools at once for as long as it may: a turn takes three seconds of the model, then two of both tools. */
const tireless: Script = ({ tools }) =>
  tools.length > 0
    ? { text: 'at work', calls: [{ name: 'look' }, { name: 'look' }], latencyMs: 3_000 }
    : { text: 'enough', latencyMs: 500 };

/** The session as one process runs it, on the clock of that process. */
function begin(clock: FakeClock, journal: MemoryJournal, onModelCall = () => {}) {
  const look = defineTool({
    name: 'look',
    inputSchema: { type: 'object' },
    execute: () => new Promise<string>((resolve) => clock.after(2_000, () => resolve('something'))),
  });
  const script: Script = (request, call) => {
    onModelCall();
    return typeof tireless === 'function' ? tireless(request, call) : {};
  };
  const model = scriptedModel(script, { clock });
  const agent: Agent = { name: 'lead', instructions: 'You look.', model, tools: [look], budget: { timeMs: 32_000 } };
  const facts: Fact[] = [];
  const session = new AIAgentSession({
    agent,
    ports: fakePorts({ clock }),
    runtime: strict(journaled(inProcess, journal), { nextTick }),
    sessionId: 'one',
    onFact: (fact: Fact) => facts.push(fact),
  });
  return { outcome: session.run('go').outcome, model, facts };
}

/** The number of answers before the budget ended the run, and the time of the model and the tools. */
async function spentIn(clock: FakeClock, running: ReturnType<typeof begin>) {
  const outcome = await inItsTime(clock, running.outcome);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'timeMs', text: 'enough' });
  const { modelCalls, toolCalls, modelMs, toolMs } = outcome.usage;
  return { modelCalls, toolCalls, modelMs, toolMs };
}

async function uninterrupted() {
  const clock = new FakeClock(firstWallClock);
  return spentIn(clock, begin(clock, new MemoryJournal()));
}

for (const jumpMs of [-hourMs, hourMs])
  test(`the wall clock is set by ${jumpMs} ms in every turn: the run uses its budget of time, no more and no less`, async () => {
    const expected = await uninterrupted();
    const clock = new FakeClock(firstWallClock);
    const jump = () => clock.setWallClock(clock.now() + jumpMs);
    const running = begin(clock, new MemoryJournal(), () => void clock.after(1_500, jump));
    expect(await spentIn(clock, running)).toEqual(expected);
  });

for (const jumpMs of [-hourMs, -4_000, 0, hourMs])
  test(`two restarts, the wall clock ${jumpMs} ms off after each: what was used before counts`, async () => {
    const expected = await uninterrupted();
    const journal = new MemoryJournal();
    let wallClock = firstWallClock;
    for (const _process of [1, 2]) {
      const clock = new FakeClock(wallClock);
      const { model } = begin(clock, journal);
      const before = journal.entries.size;
      // Two turns are over; the process ends when it has just sent the next request.
      while (model.requests.length < 3) {
        clock.advance(500);
        for (let i = 0; i < 5; i++) await nextTick();
      }
      expect(journal.entries.size).toBeGreaterThan(before);
      wallClock = clock.now() + jumpMs;
    }
    const clock = new FakeClock(wallClock);
    expect(await spentIn(clock, begin(clock, journal))).toEqual(expected);
  });

test('facts keep what was spent as a number, by the session that has the budget', async () => {
  const clock = new FakeClock(firstWallClock);
  const { outcome, facts } = begin(clock, new MemoryJournal());
  await inItsTime(clock, outcome);
  const readings = facts.flatMap((fact) => {
    if (fact.type === 'model-end') return [fact.timeSpentMs];
    return fact.type === 'tool-end' ? [fact.result.timeSpentMs] : [];
  });
  expect(readings.slice(0, 4)).toEqual([{ one: 3_000 }, { one: 5_000 }, { one: 5_000 }, { one: 8_000 }]);
});

test.each([
  ['a cached result', { name: 'look' }],
  ['the status of a task', { name: 'agent__task_status', input: { status: 'in-progress', now: 'looking' } }],
])('%s uses no time of the budget', async (_, call) => {
  const clock = new FakeClock(firstWallClock);
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'something' });
  const cached = { ...look, cache: { key: 'look', ttlMs: hourMs } };
  const script: Script = (_request, count) =>
    count < 6
      ? { calls: [{ name: 'look', input: { count } }, call], latencyMs: 3_000 }
      : { text: 'an answer', latencyMs: 3_000 };
  const agent: Agent = {
    ...{ name: 'lead', instructions: 'You look.', model: scriptedModel(script, { clock }), tools: [cached] },
    ...{ progress: true, budget: { timeMs: 32_000 } },
  };
  const session = new AIAgentSession({ agent, ports: fakePorts({ clock }) });
  const outcome = await inItsTime(clock, session.run('go').outcome);
  expect(outcome).toMatchObject({ status: 'completed', text: 'an answer' });
});
