// The promise: a child never has more rights than its file gives and the denials above it allow, at any depth, in any process.

import {
  type Agent,
  asTool,
  defineTool,
  type Fact,
  inProcess,
  journaled,
  MemoryJournal,
  type Message,
  type OnQuestion,
  type PauseStore,
  type Question,
  type RuntimeFactory,
  runBranch,
  runInside,
  type SessionTool,
} from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { endsInCallOrder } from './support/call-order.ts';
import { agent, nextTick, strictRuntime, walk } from './support/walk.ts';

const schema = { inputSchema: { type: 'object' } };
const drop = defineTool({ name: 'drop', ...schema, execute: () => 'dropped' });
const look = defineTool({ name: 'look', ...schema, execute: () => 'seen' });
const send = defineTool({ name: 'send', ...schema, execute: () => 'sent' });
const call = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });
const everything = { calls: [{ name: 'drop' }, { name: 'look' }, { name: 'send' }] };

/** A child of a child that tries everything. */
function plant(of: Record<'lead' | 'middle' | 'leaf', Agent['permissions'] | undefined>) {
  const rights = (name: keyof typeof of) => (of[name] ? { permissions: of[name] } : {});
  const leaf = agent('leaf', [everything, 'end'], { tools: [drop, look, send], ...rights('leaf') });
  const middle = agent('middle', [{ calls: [call('leaf')] }, 'end'], {
    tools: [asTool(leaf), look],
    ...rights('middle'),
  });
  const lead = agent('lead', [{ calls: [call('middle')] }, 'end'], { tools: [asTool(middle)], ...rights('lead') });
  return { lead, middle, leaf };
}

type Carry = (onQuestion: OnQuestion) => RuntimeFactory;

async function tryBelow(team: ReturnType<typeof plant>, carry: Carry = strictRuntime) {
  const asked: string[] = [];
  const onQuestion = ({ agentName, call: about }: Question) => {
    asked.push(`${agentName} ${about?.tool}`);
    return true;
  };
  const { outcome, events } = await walk(team.lead, 'go', { onQuestion, runtime: carry(onQuestion) });
  const results = endsInCallOrder(events)
    .filter(({ trace }) => trace.agentName === 'leaf')
    .map(({ label, result }) => `${label} ${result.failure?.code ?? result.text}`);
  const offered = team.leaf.model.requests[0]?.tools.map(({ name }) => name);
  return { status: outcome.status, results, asked, offered };
}

const no = 'permission-denied';

test.each(['here', 'in another process'])('denials and questions add up on the way down: %s', async (where) => {
  const team = plant({ lead: { deny: ['dr*'] }, middle: { ask: ['send'] }, leaf: { allow: ['*'] } });
  const tools = [asTool(team.middle), asTool(team.leaf)];
  const below = await tryBelow(team, where === 'here' ? undefined : (onQuestion) => elsewhere(tools, onQuestion));
  expect(below).toEqual({
    status: 'completed',
    results: [`drop ${no}`, 'look seen', 'send sent'],
    asked: ['leaf send'],
    offered: ['look', 'send'],
  });
});

test('what a caller allows itself is its own affair; what a child denies itself too', async () => {
  const team = plant({
    lead: { allow: ['agent__middle'] },
    middle: undefined,
    leaf: { deny: ['send'], allow: ['look', 'send'] },
  });
  const below = await tryBelow(team);
  expect(below.results).toEqual([`drop ${no}`, 'look seen', `send ${no}`]);
  expect(team.middle.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['agent__leaf', 'look']);
});

test('a sub-agent itself can be denied, to those below as well', async () => {
  const team = plant({ lead: { deny: ['agent__leaf'] }, middle: undefined, leaf: undefined });
  const { outcome, events } = await walk(team.lead);
  expect(outcome.status).toBe('completed');
  expect(team.leaf.model.requests).toEqual([]);
  const ended = events.find((event) => event.type === 'tool-end' && event.trace.agentName === 'middle');
  expect(ended).toMatchObject({ result: { failure: { code: no, message: 'middle may not call agent__leaf.' } } });
});

test('a pool of prepared children serves callers with different rights', async () => {
  const child = agent('child', [everything, 'end', everything, 'end'], {
    tools: [drop, look, send],
    hold: { pool: 1 },
  });
  const tool = asTool(child);
  const strictly = agent('strictly', [{ calls: [call('child')] }, 'end'], {
    tools: [tool],
    permissions: { deny: ['drop'] },
  });
  const freely = agent('freely', [{ calls: [call('child')] }, 'end'], { tools: [tool] });
  const script = [{ calls: [call('strictly')] }, { calls: [call('freely')] }, 'end'];
  await walk(agent('lead', script, { tools: [asTool(strictly), asTool(freely)] }));
  const offered = [0, 2].map((i) => child.model.requests[i]?.tools.map(({ name }) => name));
  expect(offered).toEqual([
    ['look', 'send'],
    ['drop', 'look', 'send'],
  ]);
});

describe('a session that asked, and goes on by its own handle without its caller', () => {
  /** Asks first, then tries to drop in every way there is. */
  function inquisitive() {
    const after = (messages: readonly Message[]) => messages.filter(({ role }) => role === 'tool').length;
    const leaf = agent('leaf', ({ messages }) => (after(messages) === 0 ? { calls: [{ name: 'drop' }] } : 'end'), {
      tools: [drop],
    });
    const consult = defineTool({
      name: 'consult',
      ...schema,
      execute: async (_, context) => (await runInside(leaf, 'go', { context })).text,
    });
    const question = { calls: [{ name: 'ask_user', input: { question: 'Who?' } }] };
    const tries = { calls: [{ name: 'drop' }, { name: 'send' }, call('leaf'), { name: 'consult' }] };
    return agent('child', ({ messages }) => [question, tries][after(messages)] ?? 'end', {
      ask: 'person',
      tools: [drop, send, asTool(leaf), consult],
    });
  }

  /** As it would be after a restart: kept as text. */
  async function goOn(runtime?: () => RuntimeFactory) {
    const kept = new Map<string, string>();
    const pauses: PauseStore = {
      put: (handle, paused) => void kept.set(handle, JSON.stringify(paused)),
      get: (handle) => JSON.parse(kept.get(handle) ?? 'null') ?? undefined,
      delete: (handle) => kept.delete(handle),
    };
    const ports = () => ({ ...fakePorts(), pauses });
    const permissions = { deny: ['drop'], ask: ['send'] };
    const lead = agent('lead', [{ calls: [call('child')] }, 'end'], { tools: [asTool(inquisitive())], permissions });
    await walk(lead, 'go', { sessionId: 'run', ports: ports() });
    return async () => {
      const asked: string[] = [];
      const onQuestion = ({ call: about }: Question) => asked.push(String(about?.tool)) > 0;
      const { events, outcome } = await walk(inquisitive(), 'me', {
        sessionId: 'again',
        resume: 'run~1.1',
        ports: ports(),
        onQuestion,
        ...(runtime ? { runtime: runtime() } : {}),
      });
      const dropped = events.flatMap((event) =>
        event.type === 'tool-end' && event.label === 'drop' ? [event.result.failure?.code] : [],
      );
      return { status: outcome.status, dropped, asked };
    };
  }
  const wanted = { status: 'completed', dropped: [no, no, no], asked: ['send'] };

  test('has the denials of its caller, and so has whatever it calls', async () => {
    expect(await (await goOn())()).toMatchObject(wanted);
  });

  test('a replay too', async () => {
    const journal = new MemoryJournal();
    const again = await goOn(() => strict(journaled(inProcess, journal), { nextTick }));
    const first = await again();
    expect(first).toMatchObject(wanted);
    for (const key of [...journal.entries.keys()]) if (key !== 'again/open') journal.entries.delete(key);
    expect(await again()).toEqual(first);
  });
});

/** Every session below runs from nothing but the text of its operation, as it would in another process. */
function elsewhere(tools: readonly SessionTool[], onQuestion: OnQuestion): RuntimeFactory {
  const runtime: RuntimeFactory = (workplace) =>
    strict(inProcess, { nextTick })({
      sessionId: workplace.sessionId,
      scope: workplace.scope,
      clock: workplace.clock,
      perform: (task, scope, began) => workplace.perform(task, scope, began),
      receive: (operation, scope) => workplace.receive(operation, scope),
      began: (operation, at) => workplace.began(operation, at),
      ended: (operation, settled) => workplace.ended(operation, settled),
      tell: (fact) => workplace.tell(fact),
      startSession: (operation, scope, began) =>
        workplace.startSession(operation, scope, began, async (handed) => {
          const crossed = JSON.parse(JSON.stringify(handed)) as typeof handed;
          const tool = tools.find(({ name }) => name === crossed.input.tool);
          const onFact = (fact: Fact) => workplace.tell(fact);
          return runBranch(tool as SessionTool, crossed, { ports: fakePorts(), runtime, onFact, onQuestion });
        }),
    });
  return runtime;
}
