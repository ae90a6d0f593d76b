// stop() ends the work, gives the root its last word and keeps what there is; cancel() ends everything at once.

import {
  type Agent,
  AIAgentSession,
  agentTool,
  asTool,
  defineTool,
  type Outcome,
  type RuntimeFactory,
  type Scope,
  type SessionRun,
} from '@ai-agent/cli';
import { FakeClock, type Script, type ScriptedHttpModel } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { type Door, nextTick, throughEveryDoor } from './support/doors.ts';

const never = new Promise<never>(() => {});
const callTo = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });

/** Waits, answers after it was told to stop, and says who it is. */
const lead =
  (...calls: readonly string[]): Script =>
  (request) =>
    JSON.stringify(request.messages.at(-1)).includes('You are asked to stop')
      ? { text: 'what I have' }
      : { text: 'first words', ...(calls.length > 0 ? { calls: calls.map(callTo) } : { until: never }) };

/** A run, with everything that could be left behind. */
function start(door: Door, agent: Agent) {
  const clock = new FakeClock();
  const scopes: Scope[] = [];
  const runtime: RuntimeFactory = (workplace) => {
    scopes.push(workplace.scope);
    return door.runtime(workplace);
  };
  const run = new AIAgentSession({ agent, runtime, ports: { clock } }).run('go');
  const leftBehind = () => clock.timers + scopes.reduce((sum, { held }) => sum + held, 0);
  return { run, leftBehind, clock };
}

const requestsOf = ({ model }: Agent) => (model as ScriptedHttpModel).requests;

async function until(is: () => boolean) {
  while (!is()) await nextTick();
}

function expectStopped(outcome: Outcome) {
  expect(outcome).toMatchObject({ status: 'partial', limit: 'stop', text: 'what I have' });
  expect(outcome.ledger.total).toEqual(outcome.usage);
  expect(outcome.tree).toMatchObject({ status: 'partial' });
}

throughEveryDoor('stop is a limit and cancel is the end', (door) => {
  const hanging = (signals: AbortSignal[]) =>
    defineTool({
      name: 'hang',
      inputSchema: { type: 'object' },
      execute: (_, { signal }) => {
        signals.push(signal);
        return never;
      },
    });

  test('during a model call: the call is dropped, also at the server, and the last word asked for', async () => {
    const agent = await door.agent('lead', lead());
    const { run, leftBehind } = start(door, agent);
    await until(() => requestsOf(agent).length === 1);
    run.stop();
    expectStopped(await run.outcome);
    expect(requestsOf(agent)[1]?.tools).toEqual([]);
    if (door.name === 'http') await until(() => (agent.model as ScriptedHttpModel).server.aborted === 1);
    expect(leftBehind()).toBe(0);
  });

  test('during a tool call: the tool is told, and what the model had said is kept', async () => {
    const signals: AbortSignal[] = [];
    const agent = await door.agent('lead', lead('hang', 'hang'), {
      tools: [hanging(signals)],
      limits: { maxParallel: 1 },
    });
    const { run, leftBehind } = start(door, agent);
    await until(() => signals.length === 1);
    run.stop();
    expectStopped(await run.outcome);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const told = JSON.stringify(requestsOf(agent)[1]?.messages);
    expect(told.match(/This was stopped before it was done/g)).toHaveLength(2);
    expect(leftBehind()).toBe(0);
  });

  test('during a fan-out: children and grandchildren end with what they have, and only the root speaks again', async () => {
    const signals: AbortSignal[] = [];
    const leaf = await door.agent('leaf', lead('hang'), { tools: [hanging(signals)] });
    const child = await door.agent('child', (_, call) => ({ text: `words ${call}`, calls: [callTo('leaf')] }), {
      tools: [asTool(leaf)],
    });
    const tools = [asTool(child)];
    const agent = await door.agent('lead', lead('child', 'child', 'child'), { tools, limits: { maxParallel: 2 } });
    const { run, leftBehind } = start(door, agent);
    await until(() => signals.length === 2);
    run.stop();
    const outcome = await run.outcome;
    expectStopped(outcome);
    expect([requestsOf(agent).length, requestsOf(child).length, requestsOf(leaf).length]).toEqual([2, 2, 2]);
    const told = JSON.stringify(requestsOf(agent)[1]?.messages);
    for (const words of ['words 1', 'words 2']) expect(told).toContain(words);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(Object.keys(outcome.ledger.bySession)).toHaveLength(5);
    expect(leftBehind()).toBe(0);
  });

  test('while sessions below are still being made or opened', async () => {
    let opening = 0;
    const hang = () => {
      opening++;
      return never;
    };
    const made = agentTool({ name: 'made', description: 'never made', createSession: hang });
    const opened = await door.agent('opened', () => 'never', { tools: [{ list: hang }] });
    const agent = await door.agent('lead', lead('made', 'opened'), { tools: [made, asTool(opened)] });
    const { run, leftBehind } = start(door, agent);
    await until(() => opening === 2);
    run.stop();
    expectStopped(await run.outcome);
    expect(leftBehind()).toBe(0);
  });

  test('before the first call: there is one call, the last word', async () => {
    const agent = await door.agent('lead', lead());
    const { run, leftBehind } = start(door, agent);
    run.stop();
    expectStopped(await run.outcome);
    expect(requestsOf(agent)).toHaveLength(1);
    expect(leftBehind()).toBe(0);
  });

  test('in the only turn there is', async () => {
    const agent = await door.agent('lead', lead(), { limits: { maxTurns: 1 } });
    const { run } = start(door, agent);
    await until(() => requestsOf(agent).length === 1);
    run.stop();
    expectStopped(await run.outcome);
  });

  test('between two tries of a model, and for a reason of the caller', async () => {
    const agent = await door.agent('lead', (request) =>
      request.messages.length > 1 ? 'what I have' : { fail: { code: 'model-unavailable' } },
    );
    const { run, leftBehind, clock } = start(door, agent);
    await until(
      () => requestsOf(agent).length === 1 && clock.timers === 1 && (clock.nextAt ?? 0) <= clock.now() + 1_000,
    );
    run.stop('patience');
    expect(await run.outcome).toMatchObject({ status: 'partial', limit: 'patience', text: 'what I have' });
    expect(leftBehind()).toBe(0);
  });

  /** Stopped, and in the middle of its last word. */
  async function wrappingUp(): Promise<{ run: SessionRun; leftBehind: () => number; speak: () => void }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const agent = await door.agent('lead', (request) => ({
      text: request.messages.length > 1 ? 'what I have' : '',
      until: request.messages.length > 1 ? promise : never,
    }));
    const { run, leftBehind } = start(door, agent);
    await until(() => requestsOf(agent).length === 1);
    run.stop();
    await until(() => requestsOf(agent).length === 2);
    return { run, leftBehind, speak: resolve };
  }

  test('stopping again changes nothing, neither in the last word nor after the end', async () => {
    const { run, leftBehind, speak } = await wrappingUp();
    run.stop('again');
    for (let i = 0; i < 5; i++) await nextTick();
    speak();
    const outcome = await run.outcome;
    expectStopped(outcome);
    run.stop('once more');
    run.cancel('too late');
    expect(await run.outcome).toBe(outcome);
    expect(outcome.status).toBe('partial');
    expect(leftBehind()).toBe(0);
  });

  test('cancelling ends it, with a last word under way or without', async () => {
    const { run, leftBehind } = await wrappingUp();
    run.cancel('Enough.');
    const outcome = await run.outcome;
    expect(outcome).toMatchObject({ status: 'cancelled', failure: { class: 'cancelled', message: 'Enough.' } });
    expect(outcome.ledger.total).toEqual(outcome.usage);
    // Nobody waits for those who are told: they are gone a moment later.
    await nextTick();
    expect(leftBehind()).toBe(0);
    run.stop();
    expect((await run.outcome).status).toBe('cancelled');
  });
});
