// A budget outlives its process and its session: what was used before a restart, or before a question, is used.

import { type Agent, type Budget, defineTool, inProcess, journaled, MemoryJournal, MemoryPauses } from '@ai-agent/core';
import { countingIds, FakeClock, fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { inItsTime, nextTick, start } from './support/walk.ts';

const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'something' });

/** Looks for as long as it may; each call takes three seconds. */
const tireless: Script = ({ tools }) =>
  tools.length > 0 ? { text: 'at work', calls: [{ name: 'look' }], latencyMs: 3_000 } : { text: 'enough' };

function plant(clock: FakeClock, budget: Budget, script = tireless) {
  const model = scriptedModel(script, { clock });
  const agent: Agent = { name: 'lead', instructions: 'You look.', model, tools: [look], ask: 'caller', budget };
  return { agent, model };
}

for (const budget of [{ turns: 4 }, { toolCalls: 3 }, { timeMs: 11_000 }] as const)
  test(`${JSON.stringify(budget)}: a run that its process left behind goes on with what is left`, async () => {
    const clock = new FakeClock();
    const [startedAt, journal] = [clock.now(), new MemoryJournal()];
    const begin = ({ agent }: { agent: Agent }) =>
      start(agent, 'go', { ports: fakePorts({ clock }), runtime: journaled(inProcess, journal), sessionId: 'one' });
    const before = plant(clock, budget);
    begin(before);
    while (before.model.requests.length < 3) {
      clock.advance(1_000);
      for (let i = 0; i < 5; i++) await nextTick();
    }
    // The third call never comes back: nobody is there any more.
    const after = plant(clock, budget);
    const outcome = await inItsTime(clock, begin(after).outcome);
    const [limit] = Object.keys(budget);
    expect(outcome).toMatchObject({ status: 'partial', limit, text: 'enough' });
    const made = outcome.ledger.entries.filter(({ type, status }) => type === 'model' && status === 'ok');
    // The call that one tool too many was asked for with was made as well.
    expect(made).toHaveLength(limit === 'toolCalls' ? 5 : 4);
    expect(clock.now() - startedAt).toBeGreaterThan(9_000);
  });

test('a session that asked goes on with what is left', async () => {
  const asking: Script = (request, call) =>
    request.messages.length === 1
      ? { text: 'hm', calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }
      : (tireless as (...args: [typeof request, number]) => string)(request, call);
  const clock = new FakeClock();
  const ports = fakePorts({ clock, pauses: new MemoryPauses(), ids: countingIds() });
  const first = plant(clock, { turns: 3 }, asking);
  const asked = await inItsTime(clock, start(first.agent, 'go', { ports }).outcome);
  if (asked.status !== 'needs_user_input') expect.fail(asked.status);
  const second = plant(clock, { turns: 3 }, asking);
  const outcome = await inItsTime(clock, start(second.agent, 'this one', { ports, resume: asked.resume }).outcome);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'turns', text: 'enough' });
  expect([first.model.requests.length, second.model.requests.length]).toEqual([1, 2]);
});
