import { type Agent, type AgentEvent, AIAgentSession, agentTool, asTool, type Fact, type Model } from '@ai-agent/core';
import { fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, strictRuntime, walk } from './support/walk.ts';

test('a reader that never reads on keeps every fact, drops old hints only, and the run ends all the same', async () => {
  const model = scriptedModel(() => ({ text: 'x'.repeat(5000) }), { pieces: 5000 });
  const chatty = { ...agent('chatty', []), model };
  const run = new AIAgentSession({ agent: chatty, ports: fakePorts(), runtime: strictRuntime() }).run('go');
  const reader = run.events[Symbol.asyncIterator]();
  const first = await reader.next();
  expect(first.done).toBe(false);
  expect((await run.outcome).status).toBe('completed');
  const rest: AgentEvent[] = [];
  for (let next = await reader.next(); !next.done; next = await reader.next()) rest.push(next.value);
  const hints = rest.filter((event) => event.kind === 'hint');
  expect(hints.length).toBeLessThanOrEqual(1000);
  expect(hints.length).toBeGreaterThan(0);
  expect(rest.filter((event) => event.kind === 'fact').map((fact) => fact.type)).toEqual([
    ...['session-start', 'turn-start', 'model-start', 'model-end', 'turn-end', 'session-end'],
  ]);
});

test('iterating gives facts and hints of the whole tree in order, then ends', async () => {
  const lead = agent('lead', [{ calls: [{ name: 'child', input: { reason: 'r' } }] }, 'done'], {
    tools: [asTool(agent('child', ['fine']))],
  });
  const heard: AgentEvent[] = [];
  const run = new AIAgentSession({
    agent: lead,
    ports: fakePorts(),
    runtime: strictRuntime(),
    onEvent: (event) => heard.push(event),
  }).run('go');
  const seen: AgentEvent[] = [];
  for await (const event of run.events) seen.push(event);
  expect(seen.at(-1)).toMatchObject({ type: 'session-end', trace: { selfId: 's1' } });
  expect(seen.filter((event) => event.kind === 'fact')).toEqual(heard.filter((event) => event.kind === 'fact'));
  expect(new Set(seen.map((event) => event.trace.selfId))).toEqual(new Set(['s1', 's1~1.1']));
});

test('a reader that leaves early hurts nobody', async () => {
  const run = new AIAgentSession({
    agent: agent('hello', ['Hello.']),
    ports: fakePorts(),
    runtime: strictRuntime(),
  }).run('go');
  for await (const event of run.events) if (event.type === 'turn-start') break;
  expect((await run.outcome).status).toBe('completed');
});

/** An agent that notes for each of its model calls whether anybody wanted to hear it stream. */
function watched(script: Script) {
  const streamed: boolean[] = [];
  const inner = scriptedModel(script);
  const model: Model = {
    provider: 'p',
    model: 'm',
    call(request, context) {
      streamed.push(context.onDelta !== undefined);
      return inner.call(request, context);
    },
  };
  return { streamed, with: (more: Partial<Agent> = {}) => ({ ...agent('watched', []), ...more, model }) };
}

test('models stream only when somebody listens to hints; facts alone are heard without', async () => {
  const quiet = watched(['Hello.']);
  const facts: Fact[] = [];
  await new AIAgentSession({ agent: quiet.with(), ports: fakePorts(), onFact: (fact) => facts.push(fact) }).run('go')
    .outcome;
  expect(quiet.streamed).toEqual([false]);
  expect(facts.map((fact) => fact.type)).toEqual([
    'session-start',
    'turn-start',
    'model-start',
    'model-end',
    'turn-end',
    'session-end',
  ]);
  const heard = watched(['Hello.']);
  const told = new Set<string>();
  await new AIAgentSession({
    agent: heard.with(),
    ports: fakePorts(),
    onEvent: () => {},
    onFact: ({ kind }) => told.add(kind),
  }).run('go').outcome;
  expect(heard.streamed).toEqual([true]);
  expect([...told]).toEqual(['fact']);
});

test('a session below takes its listener along when it ends', async () => {
  const child = agentTool({
    name: 'child',
    description: 'listens',
    createSession: () => new AIAgentSession({ agent: agent('child', ['fine']), onEvent: () => {} }),
  });
  const lead = watched([{ calls: [{ name: 'child', input: { reason: 'r' } }] }, 'done']);
  await new AIAgentSession({ agent: lead.with({ tools: [child] }), ports: fakePorts() }).run('go').outcome;
  expect(lead.streamed).toEqual([false, false]);
});

test('a listener that throws loses its event and nothing else', async () => {
  const { outcome } = await walk(agent('hello', ['Hello.']), 'go', {
    onEvent: () => {
      throw new TypeError('bad listener');
    },
  });
  expect(outcome.status).toBe('completed');
});
