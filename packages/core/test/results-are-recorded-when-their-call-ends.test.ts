// The result of a tool call is emitted and recorded when that call ends, so that a crash among its siblings loses nothing.

import {
  asTool,
  type Fact,
  inProcess,
  type JournalEntry,
  journaled,
  ledgerOf,
  MemoryJournal,
  type SessionTool,
} from '@ai-agent/core';
import { FakeClock, fakePorts, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, inItsTime, nextTick, start } from './support/walk.ts';

const delays = { slow: 3_000, medium: 2_000, fast: 1_000 };
const input = { text: 'go', reason: 'because' };

interface More {
  /** Called in the same turn. */
  readonly tools?: readonly SessionTool[];
}

/** A lead whose one turn calls three tools at once, which end in the reverse order. */
function lead(clock: FakeClock, ran: string[], { tools: others = [] }: More) {
  const tools = Object.entries(delays).map(([name, durationMs]) => ({
    name,
    inputSchema: { type: 'object' as const },
    execute: async () => {
      ran.push(name);
      await new Promise<void>((resolve) => void clock.after(durationMs, resolve));
      return `${name} done`;
    },
  }));
  const calls = [...Object.keys(delays), ...others.map(({ name }) => name)].map((name) => ({ name, input }));
  const more = { tools: [...tools, ...others] };
  return agent('lead', (request) => (request.messages.length === 1 ? { calls } : 'all done'), more);
}

function begin(journal: MemoryJournal, more: More = {}) {
  const clock = new FakeClock();
  const ran: string[] = [];
  const facts: Fact[] = [];
  const caller = lead(clock, ran, more);
  const { outcome } = start(caller, 'go', {
    sessionId: 'run',
    runtime: strict(journaled(inProcess, journal), { nextTick }),
    ports: fakePorts({ clock }),
    onFact: (fact) => facts.push(fact),
  });
  return { clock, ran, facts, outcome, requests: caller.model.requests };
}

const ended = (facts: readonly Fact[]) => facts.flatMap((fact) => (fact.type === 'tool-end' ? [fact.label] : []));
const copyOf = (journal: MemoryJournal) =>
  new MemoryJournal(JSON.parse(JSON.stringify([...journal.entries])) as [string, JournalEntry][]);

describe('three calls that end in reverse order', () => {
  test('are reported as they end, and reach the model in call order', async () => {
    const { clock, facts, outcome, requests } = begin(new MemoryJournal());
    await advance(clock, 1_000);
    expect(ended(facts)).toEqual(['fast']);
    await advance(clock, 1_000);
    expect(ended(facts)).toEqual(['fast', 'medium']);
    expect(facts.map(({ at }) => at).at(-1)).toBe(new FakeClock().now() + 2_000);
    const { conversations } = await inItsTime(clock, outcome);
    const results = conversations.run?.find(({ role }) => role === 'tool');
    expect(JSON.stringify(results)).toMatch(/slow done.*medium done.*fast done/);
    expect(requests[1]?.messages.at(-1)).toEqual(results);
  });

  test('a run that is killed after two of them repeats neither, and emits equal facts', async () => {
    const whole = begin(new MemoryJournal());
    await inItsTime(whole.clock, whole.outcome);

    const journal = new MemoryJournal();
    const killed = begin(journal);
    await advance(killed.clock, 2_000);
    const [stored, recorded] = [[...killed.facts], copyOf(journal)];
    expect(ended(stored)).toEqual(['fast', 'medium']);

    const continued = begin(recorded);
    await inItsTime(continued.clock, continued.outcome);
    expect(continued.ran).toEqual(['slow']);
    expect(continued.facts.map(identity)).toEqual(whole.facts.map(identity));
    const known = new Map([...stored, ...continued.facts].map((fact) => [identity(fact), fact]));
    expect([...known.keys()]).toEqual(whole.facts.map(identity));
    const results = (facts: Iterable<Fact>) =>
      [...facts].flatMap((fact) => (fact.type === 'tool-end' ? [[fact.label, fact.result.text]] : []));
    expect(results(known.values())).toEqual(results(whole.facts));
    // Facts that are emitted again count once.
    expect(ledgerOf([...stored, ...continued.facts]).total.toolCalls).toBe(3);
  });
});

function identity({ trace, op, type }: Fact): string {
  return `${trace.selfId} ${op} ${type}`;
}

async function advance(clock: FakeClock, ms: number): Promise<void> {
  for (let i = 0; i < 20; i++) await nextTick();
  clock.advance(ms);
  for (let i = 0; i < 20; i++) await nextTick();
}

test('an entry on record keeps its order and its times, however often the run is killed', async () => {
  const journal = new MemoryJournal();
  // Its session runs again from its records, and so settles again.
  const more = { tools: [asTool(agent('helper', ['helped']))] };
  const killed = begin(journal, more);
  await advance(killed.clock, 2_000);
  const recorded = copyOf(journal);
  expect(recorded.read('run/turn.1.tool.4')).toMatchObject({ settled: { value: { text: 'helped' } } });
  const before = JSON.stringify([...recorded.entries]);
  const again = begin(recorded, more);
  await advance(again.clock, 500);
  expect(JSON.stringify([...recorded.entries])).toBe(before);
});
