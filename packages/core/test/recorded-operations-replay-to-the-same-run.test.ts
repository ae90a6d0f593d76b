import {
  type Agent,
  AgentError,
  AIAgentSession,
  agentTool,
  asTool,
  defineTool,
  type Fact,
  inProcess,
  journaled,
  ledgerOf,
  MemoryJournal,
  opTreeOf,
} from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { inItsTime, nextTick, start, walk } from './support/walk.ts';

/** A tree whose every model and tool call counts, on a clock that moves with each. */
function plant() {
  const clock = new FakeClock();
  const performed: string[] = [];
  const tick = <T>(name: string, value: T): T => {
    performed.push(name);
    clock.advance(7);
    return value;
  };
  const weigh = defineTool<{ what: string }>({
    name: 'weigh',
    inputSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    execute: ({ what }) => tick(`weigh ${what}`, { type: 'json', value: { grams: what.length } }),
  });
  const worker: Agent = {
    name: 'worker',
    description: 'weighs things',
    instructions: 'You weigh.',
    tools: [weigh],
    model: scriptedModel((request) => {
      const prompt = JSON.stringify(request.messages[0]);
      const isDone = request.messages.some((message) => message.role === 'tool');
      return tick(
        `worker ${isDone}`,
        isDone ? `weighed ${prompt.length}` : { calls: [{ name: 'weigh', input: { what: prompt } }] },
      );
    }),
  };
  const lead: Agent = {
    name: 'lead',
    instructions: 'You lead.',
    tools: [asTool(worker), weigh],
    model: scriptedModel((request) => {
      const isDone = request.messages.some((message) => message.role === 'tool');
      const calls = ['apple', 'pear'].map((text) => ({
        name: 'agent__worker',
        input: { text, reason: `weigh the ${text}` },
      }));
      return tick(
        `lead ${isDone}`,
        isDone ? 'all weighed' : { calls: [...calls, { name: 'weigh', input: { what: 'x' } }, { name: 'gone' }] },
      );
    }),
  };
  return { lead, clock, performed };
}

async function runWith(journal: MemoryJournal, history: Map<string, string[]>) {
  const { lead, clock, performed } = plant();
  const runtime = strict(journaled(inProcess, journal), { nextTick, history });
  const { outcome, events } = await walk(lead, 'weigh all', { ports: fakePorts({ clock }), runtime, sessionId: 'run' });
  const { status, text, usage, ledger, tree, conversations, startedAt, endedAt } = outcome;
  const facts = events.filter((event) => event.kind === 'fact');
  return {
    performed,
    facts,
    result: JSON.stringify({ status, text, usage, ledger, tree, conversations, startedAt, endedAt }),
  };
}

/** The facts of each session in their order. A replay may interleave sessions in another way. */
function bySession(facts: readonly Fact[]): Record<string, readonly Fact[]> {
  return Object.groupBy(facts, ({ trace }) => trace.selfId) as Record<string, readonly Fact[]>;
}

describe('a recorded list of operation results', () => {
  test('replays to the same outcome, ledger, tree and conversations, and performs nothing', async () => {
    const journal = new MemoryJournal();
    const history = new Map<string, string[]>();
    const first = await runWith(journal, history);
    expect(first.performed).toHaveLength(9);
    const stored: MemoryJournal = new MemoryJournal(JSON.parse(JSON.stringify([...journal.entries])));
    const again = await runWith(stored, history);
    expect(again.performed).toEqual([]);
    expect(again.result).toBe(first.result);
    expect(bySession(again.facts)).toEqual(bySession(first.facts));
  });

  test('cut off anywhere, goes on from there and repeats no recorded call', async () => {
    const journal = new MemoryJournal();
    await runWith(journal, new Map());
    const entries = JSON.parse(JSON.stringify([...journal.entries])) as [string, never][];
    for (let kept = 0; kept <= entries.length; kept++) {
      const resumed = await runWith(new MemoryJournal(entries.slice(0, kept)), new Map());
      const recordedTasks = entries
        .slice(0, kept)
        .filter(([key]) => !/open$/.test(key) && !/^run\/turn\.1\.tool\.[12]$/.test(key));
      expect(resumed.performed.length + recordedTasks.length).toBe(9);
      expect(JSON.parse(resumed.result)).toMatchObject({
        status: 'completed',
        text: 'all weighed',
        ledger: { total: { modelCalls: 6, toolCalls: 6 } },
      });
    }
  });

  test('facts alone give the ledger and the tree of the outcome', async () => {
    const { facts, result } = await runWith(new MemoryJournal(), new Map());
    expect(JSON.stringify(ledgerOf(facts))).toBe(JSON.stringify(JSON.parse(result).ledger));
    expect(JSON.stringify(opTreeOf(facts))).toBe(JSON.stringify(JSON.parse(result).tree));
  });

  test('belongs to its prompt: another one under the same id is refused, not answered with the old answer', async () => {
    const journal = new MemoryJournal();
    const { lead } = plant();
    const options = { runtime: journaled(inProcess, journal), sessionId: 'run' };
    expect((await walk(lead, 'weigh all', options)).outcome.status).toBe('completed');
    expect((await walk(lead, 'weigh nothing', options)).outcome).toMatchObject({
      status: 'failed',
      failure: { class: 'usage', code: 'journal-mismatch' },
    });
  });
});

describe('sessions below, walked again from a journal', () => {
  const reason = { reason: 'r' };
  const tellingFacts = async (journal: MemoryJournal, make: (clock: FakeClock) => Agent) => {
    const clock = new FakeClock();
    const runtime = strict(journaled(inProcess, journal), { nextTick });
    const { events, outcome } = start(make(clock), 'go', { ports: fakePorts({ clock }), runtime, sessionId: 'run' });
    await inItsTime(clock, outcome);
    return events.filter((event) => event.kind === 'fact');
  };

  test('one that the budget refused does not begin after all', async () => {
    let requests = 0;
    const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
    const make = (): Agent => {
      const model = scriptedModel(() => `child ${++requests}`);
      const child: Agent = { name: 'child', description: 'c', instructions: 'You help.', model };
      const calls = [{ name: 'look' }, { name: 'child', input: reason }];
      return {
        name: 'lead',
        instructions: 'You lead.',
        tools: [look, asTool(child)],
        budget: { toolCalls: 1 },
        model: scriptedModel([{ calls }, 'all I know']),
      };
    };
    const journal = new MemoryJournal();
    const first = await tellingFacts(journal, make);
    expect(await tellingFacts(journal, make)).toEqual(first);
    expect(requests).toBe(0);
  });

  test('a session whose tool gave up long before the session was cancelled', async () => {
    const giveUp = () => {
      throw new AgentError('cancelled', 'The other side hung up.');
    };
    let isWaiting = () => {};
    const waiting = new Promise<void>((resolve) => {
      isWaiting = resolve;
    });
    const never = () => {
      isWaiting();
      return new Promise<never>(() => {});
    };
    const make = (): Agent => ({
      ...{ name: 'lead', instructions: 'You lead.' },
      tools: [
        defineTool({ name: 'dial', inputSchema: { type: 'object' }, execute: giveUp }),
        defineTool({ name: 'wait', inputSchema: { type: 'object' }, execute: never }),
      ],
      model: scriptedModel([{ calls: [{ name: 'dial' }] }, { calls: [{ name: 'wait' }] }, 'never said']),
    });
    const journal = new MemoryJournal();
    const run = () =>
      start(make(), 'go', { runtime: strict(journaled(inProcess, journal), { nextTick }), sessionId: 'run' });
    const first = run();
    await waiting;
    first.cancel();
    await inItsTime(first.clock, first.outcome);
    const again = run();
    await inItsTime(again.clock, again.outcome);
    const factsOf = ({ events }: typeof first) => events.filter(({ kind }) => kind === 'fact');
    expect(factsOf(first).filter(({ type }) => type === 'model-end')).toHaveLength(2);
    expect(factsOf(again)).toEqual(factsOf(first));
  });

  test('a tree that was cancelled emits the facts of the sessions below again, replay after replay', async () => {
    const journal = new MemoryJournal();
    const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
    const run = () => {
      const clock = new FakeClock();
      let requests = 0;
      const model = scriptedModel(
        () => (++requests === 1 ? { calls: [{ name: 'look' }] } : { text: 'late', latencyMs: 1_000_000 }),
        { clock },
      );
      const child: Agent = { name: 'child', description: 'c', instructions: 'You help.', model, tools: [look] };
      const calls = [{ name: 'child', input: reason }, { name: 'look' }];
      const lead = { name: 'lead', instructions: 'You lead.', tools: [asTool(child), look] };
      const runtime = strict(journaled(inProcess, journal), { nextTick });
      const ports = fakePorts({ clock });
      return {
        ...start({ ...lead, model: scriptedModel([{ calls }]) }, 'go', { ports, runtime, sessionId: 'run' }),
        clock,
      };
    };
    const recordsOf = async ({ clock, outcome, events }: ReturnType<typeof run>) => {
      const { usage } = await inItsTime(clock, outcome);
      const facts = events.filter((event) => event.kind === 'fact');
      return { usage, facts: facts.map(({ trace, op, type }) => `${trace.selfId} ${op} ${type}`).sort() };
    };
    const first = run();
    await vi.waitFor(() => {
      const asked = first.events.filter(({ type, trace }) => type === 'model-start' && trace.agentName === 'child');
      expect(asked).toHaveLength(2);
    });
    first.cancel();
    const original = await recordsOf(first);
    expect(original.usage).toMatchObject({ modelCalls: 3, unknownUsageCalls: 1 });
    expect(await recordsOf(run())).toEqual(original);
    expect(await recordsOf(run())).toEqual(original);
  });

  test.each(['session-start', 'model-start', 'model-end', 'tool-start', 'tool-end', 'turn-end'])(
    'a tree that was cancelled at %s of a session below performs nothing on a replay',
    async (type) => {
      const journal = new MemoryJournal();
      let performed = 0;
      const run = (isCancelled: boolean) => {
        const count = <T>(value: T): T => {
          performed++;
          return value;
        };
        const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => count('seen') });
        const modelOf = (calls: readonly { name: string; input?: object }[]) =>
          scriptedModel(({ messages }) => count(messages.length === 1 ? { calls } : 'done'));
        const child: Agent = {
          ...{ name: 'child', description: 'c', instructions: 'You help.', tools: [look] },
          model: modelOf([{ name: 'look' }]),
        };
        const tools = [asTool(child), look];
        const lead = { name: 'lead', instructions: 'You lead.', tools };
        const model = modelOf([{ name: 'child', input: reason }, { name: 'look' }]);
        const runtime = strict(journaled(inProcess, journal), { nextTick });
        const facts: string[] = [];
        const session = start({ ...lead, model }, 'go', {
          ...{ runtime, sessionId: 'run' },
          onFact(fact) {
            facts.push(`${fact.trace.selfId} ${fact.op} ${fact.type}`);
            if (isCancelled && fact.type === type && fact.trace.agentName === 'child') session.cancel();
          },
        });
        return inItsTime(session.clock, session.outcome).then(({ status }) => ({ status, facts: facts.sort() }));
      };
      const first = await run(true);
      expect([first.status, performed]).toEqual(['cancelled', expect.any(Number)]);
      const before = performed;
      expect(await run(false)).toEqual(first);
      expect(performed).toBe(before);
    },
  );

  test('one that was cancelled by itself ends at the time it did', async () => {
    const make = (clock: FakeClock): Agent => {
      const model = scriptedModel(() => ({ text: 'late', latencyMs: 500 }), { clock });
      const child: Agent = { name: 'child', description: 'c', instructions: 'You help.', model };
      const createSession = () => {
        const controller = new AbortController();
        clock.after(30, () => controller.abort());
        return new AIAgentSession({ agent: child, signal: controller.signal });
      };
      const tool = agentTool({ name: 'child', description: 'c', createSession });
      const calls = [{ name: 'child', input: reason }];
      const lead = scriptedModel((request) => (request.messages.length === 1 ? { calls } : 'without it'));
      return { name: 'lead', instructions: 'You lead.', tools: [tool], model: lead };
    };
    const journal = new MemoryJournal();
    const first = await tellingFacts(journal, make);
    expect(first.find((fact) => fact.type === 'session-end')?.endedAt).toBe(new FakeClock().now() + 30);
    expect(await tellingFacts(journal, make)).toEqual(first);
  });
});
