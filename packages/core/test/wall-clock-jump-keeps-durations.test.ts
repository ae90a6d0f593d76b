// A wall clock that is set in the middle of a run changes no duration: every latency is the time that really passed.

import { asTool, defineTool, finSummaryOf, type SessionNode } from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { inItsTime, start } from './support/walk.ts';

const hourMs = 3_600_000;

/** A lead that calls a sub-agent, whose tool takes three seconds; the wall clock is set after the first of them. */
function plant(jumpMs: number) {
  const clock = new FakeClock();
  const startedAt = clock.now();
  const wait = (durationMs: number) => new Promise<void>((resolve) => clock.after(durationMs, resolve));
  const slow = defineTool({
    name: 'slow',
    inputSchema: { type: 'object' },
    async execute() {
      await wait(1_000);
      clock.setWallClock(clock.now() + jumpMs);
      await wait(2_000);
      return 'done';
    },
  });
  const says = (script: Parameters<typeof scriptedModel>[0]) => scriptedModel(script, { clock });
  const childModel = says([
    { calls: [{ name: 'slow' }], latencyMs: 500 },
    { text: 'found', latencyMs: 700 },
  ]);
  const child = { name: 'child', description: 'looks', instructions: 'Look.', model: childModel, tools: [slow] };
  const leadModel = says([
    { calls: [{ name: 'child', input: { text: 'go', reason: 'r' } }], latencyMs: 400 },
    { text: 'end', latencyMs: 600 },
  ]);
  const lead = { name: 'lead', instructions: 'Lead.', model: leadModel, tools: [asTool(child)] };
  const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
  return { outcome: inItsTime(clock, outcome), events, startedAt };
}

function sessionsIn(node: SessionNode): readonly SessionNode[] {
  const below = node.turns.flatMap(({ operations }) =>
    operations.flatMap((operation) => (operation.type === 'tool' && operation.session ? [operation.session] : [])),
  );
  return [node, ...below.flatMap(sessionsIn)];
}

for (const [name, jumpMs] of [
  ['back by an hour', -hourMs],
  ['forward by an hour', hourMs],
] as const)
  test(`the wall clock is set ${name} in the middle: ledger, tree, FIN lines and facts have the true durations`, async () => {
    const { outcome: ended, events, startedAt } = plant(jumpMs);
    const outcome = await ended;
    expect(outcome.status).toBe('completed');

    const latencies = outcome.ledger.entries.map(({ type, trace, latencyMs }) => [trace.agentName, type, latencyMs]);
    expect(latencies).toEqual([
      ['lead', 'model', 400],
      ['lead', 'tool', 4_200],
      ['child', 'model', 500],
      ['child', 'tool', 3_000],
      ['child', 'model', 700],
      ['lead', 'model', 600],
    ]);
    expect(outcome.usage).toMatchObject({ modelMs: 2_200, toolMs: 3_000 + 4_200 });
    expect([outcome.startedAt, outcome.endedAt]).toEqual([startedAt, startedAt + 5_200]);

    const { tree } = outcome;
    if (!tree) expect.fail('There is no tree.');
    const spans = sessionsIn(tree).map((session) => [session.startedAt, session.endedAt]);
    expect(spans).toEqual([
      [startedAt, startedAt + 5_200],
      [startedAt + 400, startedAt + 4_600],
    ]);

    const { lines } = finSummaryOf(outcome.ledger);
    expect(lines.filter((line) => /\D-\d+ ms/.test(line))).toEqual([]);
    expect(lines.find((line) => line.includes('slow'))).toMatch(/ 3000 ms$/);

    const times = events.flatMap((event) => (event.kind === 'fact' ? [event.at] : []));
    expect(times).toEqual([...times].sort((one, other) => one - other));
    const hints = events.flatMap((event) => ('at' in event ? [event.at] : []));
    expect(Math.min(...hints)).toBe(startedAt);
    expect(Math.max(...hints)).toBe(startedAt + 5_200);
  });
