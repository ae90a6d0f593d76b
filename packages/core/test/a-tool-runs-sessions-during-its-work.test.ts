import {
  type Agent,
  AIAgentSession,
  agentTool,
  asTool,
  defineTool,
  type Fact,
  inProcess,
  journaled,
  ledgerOf,
  MemoryJournal,
  MemoryPauses,
  opTreeOf,
  runInside,
  type ToolContext,
  type ToolResult,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { endsInCallOrder } from './support/call-order.ts';
import { agent, inItsTime, nextTick, start, walk } from './support/walk.ts';

/** A tool that runs a session for each word it is given, one after the other. */
function consulting(oracle: Agent, seen: ToolResult[] = []) {
  return defineTool<{ words: string[] }>({
    name: 'consult',
    inputSchema: { type: 'object' },
    async execute({ words }, context) {
      const texts: string[] = [];
      for (const word of words) {
        const result = await runInside(oracle, word, { context });
        seen.push(result);
        texts.push(result.failure ? `${result.failure.code}: ${result.failure.message}` : result.text);
      }
      return texts.join(' ');
    },
  });
}

/** Two calls in one turn, then the end. */
const twoCalls: Script = ({ messages }) =>
  messages.length > 1
    ? 'done'
    : {
        calls: [
          { name: 'consult', input: { words: ['a', 'b'] } },
          { name: 'consult', input: { words: ['c'] } },
        ],
      };

function oracle(script: Script = () => 'yes', more: Partial<Agent> = {}) {
  return agent('oracle', script, more);
}

function lead(tool: ReturnType<typeof consulting>, more: Partial<Agent> = {}, script: Script = twoCalls) {
  return agent('lead', script, { tools: [tool], ...more });
}

const resultTexts = (conversation: unknown) => JSON.stringify(conversation);

describe('sessions inside a tool call', () => {
  test('have ids, names and places of their own, below their call', async () => {
    const { outcome, events } = await walk(lead(consulting(oracle())), 'go', { sessionId: 'run' });
    expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
    const starts = events.flatMap((event) => (event.type === 'session-start' && event.depth > 0 ? [event] : []));
    const told = starts.map(({ trace, callerOp }) => [trace.selfId, trace.turnPath, trace.instanceName, callerOp]);
    expect(told.sort()).toEqual([
      ['run~1.1.1', '1.1.1', 'consult[1]/oracle', 'turn.1.tool.1'],
      ['run~1.1.2', '1.1.2', 'consult[1]/oracle[2]', 'turn.1.tool.1'],
      ['run~1.2.1', '1.2.1', 'consult[2]/oracle', 'turn.1.tool.2'],
    ]);
    expect(starts[0]?.trace).toMatchObject({ parentId: 'run', callPath: 'lead:oracle', toolName: 'consult' });
    const [first, second] = outcome.tree?.turns[0]?.operations.filter((one) => one.type === 'tool') ?? [];
    expect(first?.inside?.map(({ trace }) => trace.selfId)).toEqual(['run~1.1.1', 'run~1.1.2']);
    expect(second?.inside?.map(({ trace }) => trace.selfId)).toEqual(['run~1.2.1']);
    expect(first?.session).toBeUndefined();
    expect(outcome.conversations['run~1.2.1']?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
  });

  test('are counted once: in the outcome, in the ledger and in what their caller used', async () => {
    const seen: ToolResult[] = [];
    const { outcome, events } = await walk(lead(consulting(oracle(), seen)), 'go', { sessionId: 'run' });
    expect(outcome.usage).toMatchObject({ modelCalls: 5, toolCalls: 2, inputTokens: 50, outputTokens: 25 });
    expect(outcome.usage).toEqual(outcome.ledger.total);
    expect(outcome.ledger.bySession.run?.subtree).toEqual(outcome.usage);
    expect(outcome.ledger.bySession.run?.own.modelCalls).toBe(2);
    expect(seen[0]).toMatchObject({
      status: 'ok',
      text: 'yes',
      session: { id: 'run~1.1.1', usage: { modelCalls: 1 } },
    });
    const ends = endsInCallOrder(events).map(({ result }) => result.inside);
    expect(ends).toMatchObject([
      { sessions: 2, usage: { modelCalls: 2 } },
      { sessions: 1, usage: { modelCalls: 1 } },
    ]);
    expect(ends.every((inside) => inside && !('facts' in inside))).toBe(true);
    expect(ledgerOf(events).total).toEqual(outcome.usage);
  });

  test('run on the models and with the variables of whoever calls, when the tool says so', async () => {
    let variables: unknown;
    const tool = defineTool({
      name: 'consult',
      inputSchema: { type: 'object' },
      async execute(_args, context) {
        const { models } = context.caller;
        const sampler: Agent = {
          name: 'sampler',
          instructions: ({ env }) => {
            variables = env;
            return 'You sample.';
          },
          model: models,
          limits: { maxTurns: 1 },
        };
        const history = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'before' }] }];
        return (await runInside(sampler, 'now', { context, history })).text;
      },
    });
    const caller = lead(tool, {}, (request) => {
      if (request.system === 'You sample.') return `sampled ${request.messages.length}`;
      const last = request.messages.at(-1);
      return last?.role === 'tool' ? (last.content[0]?.text ?? '') : { calls: [{ name: 'consult' }] };
    });
    const { outcome } = await walk(caller, 'go', { envOverlay: { PLACE: 'here' } });
    expect(outcome.text).toBe('sampled 2');
    expect(variables).toEqual({ PLACE: 'here' });
  });

  test('may be of any tool that runs sessions, and may have sessions below', async () => {
    const leaf = agent('leaf', () => 'leaf says so');
    const middle = agent(
      'middle',
      (request) =>
        request.messages.length > 1
          ? 'middle agrees'
          : { calls: [{ name: 'agent__leaf', input: { text: 'x', reason: 'r' } }] },
      { tools: [asTool(leaf)] },
    );
    const made = agentTool({
      name: 'made',
      description: 'made',
      createSession: () => new AIAgentSession({ agent: oracle() }),
    });
    const tool = defineTool({
      name: 'consult',
      inputSchema: { type: 'object' },
      async execute(_args, { caller }) {
        const call = { ...caller.inside.call, args: { text: 'go', reason: 'why' } };
        const [one, two] = await Promise.all([
          asTool(middle).startSession(call, caller),
          made.startSession(call, caller),
        ]);
        return `${one.text}, ${two.text}`;
      },
    });
    const { outcome } = await walk(lead(tool, {}, [{ calls: [{ name: 'consult' }] }, 'done']), 'go', {
      sessionId: 'run',
    });
    expect(Object.keys(outcome.ledger.bySession).sort()).toEqual(['run', 'run~1.1.1', 'run~1.1.1~1.1', 'run~1.1.2']);
    expect(outcome.usage).toEqual(outcome.ledger.total);
    expect(resultTexts(outcome.conversations.run)).toContain('middle agrees, yes');
  });
});

describe('the guards of the tree hold inside a call', () => {
  test('an agent that waits above is refused, and so is a level too deep', async () => {
    const again = await walk(lead(consulting({ ...oracle(), name: 'lead' })));
    expect(resultTexts(again.outcome.conversations)).toContain('agent-cycle: lead is already at work above you');
    const deep = await walk(lead(consulting(oracle()), { limits: { maxDepth: 0 } }));
    expect(resultTexts(deep.outcome.conversations)).toContain('depth-limit: This tree may have no sub-agents');
    expect(deep.outcome.usage.modelCalls).toBe(2);
  });

  test('the budget of sessions is theirs too', async () => {
    const { outcome } = await walk(lead(consulting(oracle())), 'go', { budget: { descendants: 2 } });
    expect(resultTexts(outcome.conversations)).toContain(
      'budget-exhausted: This tree has had all the sub-agent sessions',
    );
    expect(outcome.usage.modelCalls).toBe(4);
  });

  test('one that asks is a failed call, and leaves no question behind', async () => {
    const asking = oracle([{ calls: [{ name: 'ask_user', input: { question: 'Who?' } }] }], { ask: 'person' });
    const tool = consulting(asking);
    const script = [{ calls: [{ name: 'consult', input: { words: ['a'] } }] }, 'done'];
    const ports = fakePorts();
    const kept: string[] = [];
    const deleted: string[] = [];
    const pauses = {
      put: (id: string) => void kept.push(id),
      get: () => undefined,
      delete: (id: string) => deleted.push(id) > 0,
    };
    const { outcome } = await walk(lead(tool, {}, script), 'go', { ports: { ...ports, pauses } });
    expect(outcome.status).toBe('completed');
    expect(resultTexts(outcome.conversations)).toContain('oracle asks, and nobody is there to answer: Who?');
    expect(deleted).toEqual(kept);
    expect(kept).toHaveLength(1);
  });

  test('nor do those below it that ask', async () => {
    const question = [{ calls: [{ name: 'ask_user', input: { question: 'Who?' } }] }];
    const asking = (name: string) => asTool(agent(name, question, { ask: 'person' }));
    const calls = (names: readonly string[]) => names.map((name) => ({ name, input: { text: 'x', reason: 'r' } }));
    const middle = agent('middle', [{ calls: calls(['one', 'two']) }], { tools: [asking('one'), asking('two')] });
    const upper = oracle([{ calls: calls(['middle']) }], { tools: [asTool(middle)] });
    const kept: string[] = [];
    class Watched extends MemoryPauses {
      override put(...given: Parameters<MemoryPauses['put']>) {
        kept.push(given[0]);
        super.put(...given);
      }
    }
    const pauses = new Watched();
    const script = [{ calls: [{ name: 'consult', input: { words: ['a'] } }] }, 'done'];
    const { outcome } = await walk(lead(consulting(upper), {}, script), 'go', { ports: { ...fakePorts(), pauses } });
    expect(resultTexts(outcome.conversations)).toContain('nobody is there to answer: Who?');
    expect(kept).toHaveLength(4);
    expect(kept.filter((id) => pauses.get(id))).toEqual([]);
  });
});

describe('a call that ends takes its sessions along', () => {
  const script = [{ calls: [{ name: 'consult', input: { words: ['a'] } }] }, 'done'];
  const endless = () => oracle([{ until: new Promise(() => {}) }]);
  const factsOf = (events: readonly { kind: string }[]) => events.filter((event) => event.kind === 'fact') as Fact[];

  test('cancelled: the one inside ends before its caller does, however much is below it', async () => {
    const calling = (name: string) => [{ calls: [{ name, input: { text: 'x', reason: 'r' } }] }];
    const below = agent('middle', calling('oracle'), { tools: [asTool(endless())] });
    const top = agent('top', calling('middle'), { tools: [asTool(below)] });
    const { outcome, cancel, events, clock } = start(lead(consulting(top), {}, script), 'go', { sessionId: 'run' });
    const [one, two, three] = ['run~1.1.1', 'run~1.1.1~1.1', 'run~1.1.1~1.1~1.1'];
    await until(events, (event) => event.type === 'model-start' && event.trace.selfId === three);
    cancel('enough');
    const ended = await inItsTime(clock, outcome);
    expect(ended.status).toBe('cancelled');
    const ends = factsOf(events).flatMap((fact) =>
      fact.type === 'session-end' ? [[fact.trace.selfId, fact.ending.status]] : [],
    );
    expect(ends).toEqual([three, two, one, 'run'].map((id) => [id, 'cancelled']));
    expect(ended.usage).toEqual(ended.ledger.total);
  });

  test('late: what it used until then is counted', async () => {
    const slow = { ...consulting(endless()), timeoutMs: 1_000 };
    const { outcome, events } = await walk(lead(slow, {}, script), 'go', { sessionId: 'run' });
    expect(outcome.status).toBe('completed');
    expect(outcome.usage).toMatchObject({ modelCalls: 3, failedCalls: 2, unknownUsageCalls: 1 });
    expect(outcome.usage).toEqual(outcome.ledger.total);
    const order = factsOf(events).flatMap(({ type, trace }) =>
      /^(tool|session)-end$/.test(type) ? [`${type} ${trace.selfId}`] : [],
    );
    expect(order).toEqual(['session-end run~1.1.1', 'tool-end run', 'session-end run']);
  });

  test('stopped: the same', async () => {
    const { outcome, stop, events, clock } = start(lead(consulting(endless()), {}, script), 'go', { sessionId: 'run' });
    await until(events, (event) => event.type === 'model-start' && event.trace.selfId === 'run~1.1.1');
    stop();
    const ended = await inItsTime(clock, outcome);
    expect(ended.status).toBe('partial');
    expect(ended.usage).toMatchObject({ modelCalls: 3, toolCalls: 1 });
    expect(ended.usage).toEqual(ended.ledger.total);
  });

  test('done without waiting for it: it is cancelled, and none may begin later', async () => {
    let kept: ToolContext | undefined;
    const tool = defineTool({
      name: 'consult',
      inputSchema: { type: 'object' },
      execute(_args, context) {
        kept = context;
        void runInside(endless(), 'x', { context });
        return nextTick().then(() => 'gone');
      },
    });
    const { outcome } = await walk(lead(tool, {}, script), 'go', { sessionId: 'run' });
    expect(outcome.status).toBe('completed');
    expect(outcome.tree?.turns[0]?.operations[1]).toMatchObject({ inside: [{ status: 'cancelled' }] });
    await expect(runInside(oracle(), 'x', { context: kept as ToolContext })).rejects.toThrow('is over');
  });
});

describe('on a journal', () => {
  const run = async (journal: MemoryJournal, history: Map<string, string[]>) => {
    const clock = new FakeClock();
    let consulted = 0;
    const counted = agent('oracle', () => {
      consulted++;
      clock.advance(5);
      return 'yes';
    });
    const runtime = strict(journaled(inProcess, journal), { nextTick, history });
    const options = { ports: fakePorts({ clock }), runtime, sessionId: 'run', budget: { timeMs: 1e6, descendants: 9 } };
    const { outcome, events } = await walk(lead(consulting(counted)), 'go', options);
    return { outcome, consulted, facts: events.filter((event): event is Fact => event.kind === 'fact') };
  };

  test('they are part of the recorded call: nothing runs again, nothing is told twice, nothing is lost', async () => {
    const journal = new MemoryJournal();
    const history = new Map<string, string[]>();
    const first = await run(journal, history);
    expect(first.consulted).toBe(3);
    expect([...journal.entries.keys()].filter((key) => key.startsWith('run~'))).toEqual([]);
    const second = await run(new MemoryJournal(JSON.parse(JSON.stringify([...journal.entries]))), history);
    expect(second.consulted).toBe(0);
    expect(second.outcome.usage).toEqual(first.outcome.usage);
    expect(second.outcome.ledger.total).toEqual(first.outcome.ledger.total);
    const named = (facts: readonly Fact[]) =>
      facts.map(({ trace, seq, type }) => `${trace.selfId} ${seq} ${type}`).sort();
    expect(named(second.facts)).toEqual(named(first.facts));
    expect(opTreeOf(second.facts)).toEqual(opTreeOf(first.facts));
    // Whoever heard both lives counts each once.
    expect(ledgerOf([...first.facts, ...second.facts]).total).toEqual(first.outcome.ledger.total);
  });

  test('a call that was under way is done again, whatever its sessions say then', async () => {
    const journal = new MemoryJournal();
    await run(journal, new Map());
    const rest = [...journal.entries].filter(([key]) => !/turn\.1\.tool|turn\.2/.test(key));
    const again = await run(new MemoryJournal(rest), new Map());
    expect(again).toMatchObject({ consulted: 3, outcome: { status: 'completed', usage: { modelCalls: 5 } } });
  });
});

async function until<T>(events: readonly T[], isIt: (event: T) => boolean): Promise<void> {
  while (!events.some(isIt)) await nextTick();
}
