// A toolTimeoutMs of the caller bounds every tool call, calls of sub-agents included. Defaults do not.

import {
  type Agent,
  AIAgentSession,
  agentTool,
  asTool,
  createSlots,
  defineTool,
  sleep,
  type Tool,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { beforeEach, expect, test } from 'vitest';
import { inItsTime, start } from './support/walk.ts';

let clock = new FakeClock();
beforeEach(() => {
  clock = new FakeClock();
});

const never = new Promise<never>(() => {});

function agent(name: string, script: Script, more: Partial<Agent> = {}) {
  const model = scriptedModel(script, { clock });
  return { name, description: `does ${name}`, instructions: `You are ${name}.`, ...more, model };
}

/** Calls these tools in one turn, then answers with what their results said. */
const calling =
  (...names: readonly string[]): Script =>
  ({ messages }) => {
    const last = messages.at(-1);
    if (messages.length === 1)
      return { text: 'calling', calls: names.map((name) => ({ name, input: { reason: 'r' } })) };
    return last?.role === 'tool' ? last.content.map(({ text }) => text).join(' | ') : 'wrapped up';
  };

const nap = (durationMs: number) =>
  defineTool({
    name: 'nap',
    inputSchema: { type: 'object' },
    execute: async (_, { signal }) => {
      await sleep(clock, durationMs, signal);
      return 'rested';
    },
  });

/** Works for a minute, and answers at once in its last turn. */
const busy = (more: Partial<Agent> = {}) => agent('child', calling('nap'), { tools: [nap(60_000)], ...more });

async function run(tools: readonly Tool[], more: Partial<Agent> = {}, options: Parameters<typeof start>[2] = {}) {
  const lead = agent('lead', calling(...tools.map(({ name }) => name)), { tools, ...more });
  const startedAt = clock.now();
  const { outcome, events } = start(lead, 'go', { ...options, ports: fakePorts({ ...options.ports, clock }) });
  const ended = await inItsTime(clock, outcome);
  expect(clock.timers).toBe(0);
  const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event] : []));
  const calls = ends.filter(({ trace }) => trace.selfId === ended.sessionId);
  const endings = events.flatMap((event) =>
    event.type === 'session-end' ? [[event.trace.agentName, event.ending]] : [],
  );
  return { outcome: ended, calls, endings: Object.fromEntries(endings), tookMs: clock.now() - startedAt };
}

const timeout = { toolTimeoutMs: 10_000 };

test('the child is stopped, and its last turn lies inside the timeout', async () => {
  const { outcome, calls, tookMs } = await run([asTool(busy())], { limits: timeout });
  expect(outcome.status).toBe('completed');
  expect(outcome.text).toBe(
    'Partial: the limit toolTimeoutMs stopped this before it was done. What to do: use what there is, or ask for a smaller part.\n\nwrapped up',
  );
  expect(calls.map(({ result }) => result.session)).toMatchObject([{ status: 'partial', limit: 'toolTimeoutMs' }]);
  expect(outcome.incomplete).toMatchObject([{ path: 'lead:child', status: 'partial', limit: 'toolTimeoutMs' }]);
  expect(tookMs).toBe(9_000);
});

test('a last turn that takes too long is cut off when the timeout is over', async () => {
  const stuck: Script = ({ messages }) =>
    messages.length === 1
      ? { text: 'begun', calls: [{ name: 'nap', input: {} }] }
      : { text: 'late', latencyMs: 60_000 };
  const { outcome, calls, tookMs } = await run([asTool(agent('child', stuck, { tools: [nap(60_000)] }))], {
    limits: timeout,
  });
  expect(outcome.text).toMatch(/^Partial: the limit toolTimeoutMs .*\n\nbegun$/s);
  expect(calls).toMatchObject([{ result: { status: 'ok', session: { status: 'partial' } } }]);
  expect(tookMs).toBe(10_000);
});

test.each<[string, () => Tool]>([
  ['whose model is silent', () => asTool(agent('child', () => ({ text: 'late', latencyMs: 600_000 })))],
  ['whose tools are never listed', () => asTool(agent('child', ['unheard'], { tools: [{ list: () => never }] }))],
  ['that is never made', () => agentTool({ name: 'child', description: 'd', createSession: () => never })],
])('a child without text, %s, is a failed call of the class timeout', async (_, make) => {
  const { outcome, calls, tookMs } = await run([make()], { limits: timeout });
  expect(outcome.status).toBe('completed');
  expect(calls).toMatchObject([{ result: { status: 'failed', failure: { class: 'timeout', code: 'tool-timeout' } } }]);
  expect(outcome.text).toMatch(/^Failed \(timeout\): The tool agent__child was not done within 10 s\.\nWhat to do: /);
  expect(outcome.incomplete).toMatchObject([{ path: 'lead:child', status: 'failed', failure: { class: 'timeout' } }]);
  expect(tookMs).toBeLessThanOrEqual(10_000);
});

test('an agent tool with more time of its own is bounded too', async () => {
  const createSession = () => new AIAgentSession({ agent: busy() });
  const tool = agentTool({ name: 'made', description: 'd', timeoutMs: 30_000, createSession });
  const { outcome, tookMs } = await run([tool], { limits: timeout });
  expect(outcome.text).toMatch(/^Partial: the limit toolTimeoutMs .*wrapped up$/s);
  expect(tookMs).toBe(9_000);
});

test('a session below the child ends with it, and a sibling is not disturbed', async () => {
  const kid = agent('kid', calling('nap'), { tools: [nap(60_000)] });
  const mid = agent('mid', calling('agent__kid'), { tools: [asTool(kid)] });
  const brisk = agent('brisk', () => ({ text: 'brisk', latencyMs: 8_000 }));
  const { outcome, endings, tookMs } = await run([asTool(mid), asTool(brisk)], { limits: timeout });
  expect(outcome.text).toMatch(/^Partial: the limit toolTimeoutMs [^|]*wrapped up \| brisk$/s);
  expect(endings).toMatchObject({ kid: { status: 'partial', limit: 'toolTimeoutMs', text: 'calling' } });
  expect(outcome.ledger.total).toEqual(outcome.usage);
  expect(tookMs).toBe(9_000);
});

test('neither the built-in time nor the timeout of the child itself bounds a sub-agent', async () => {
  const hour = 3_600_000;
  const long = agent('child', () => ({ text: 'done', latencyMs: hour }), { limits: { llmTimeoutMs: 2 * hour } });
  const { outcome, tookMs } = await run([asTool(long)]);
  expect([outcome.text, tookMs]).toEqual(['done', hour]);
  const own = await run([asTool({ ...long, limits: { llmTimeoutMs: 2 * hour, ...timeout } })]);
  expect([own.outcome.text, own.tookMs]).toEqual(['done', hour]);
});

test('a default of the agent bounds its functions, and not its sub-agents', async () => {
  const tools = [nap(60_000), asTool(agent('child', () => ({ text: 'done', latencyMs: 60_000 })))];
  const { outcome } = await run(tools, { limitDefaults: timeout });
  expect(outcome.text).toMatch(/^Failed \(timeout\): The tool nap was not done within 10 s\.[^|]* \| done$/s);
  const both = await run(tools, { limits: { toolTimeoutMs: 20_000 }, limitDefaults: timeout });
  expect(both.outcome.text).toMatch(/^Failed \(timeout\): The tool nap .* 20 s\.[^|]* \| Failed \(timeout\): .* 20 s/s);
});

test('time in a queue and time in which a person is waited for do not count', async () => {
  const hour = 3_600_000;
  const risky = { ...nap(5_000), needsApproval: true };
  const child = agent('child', calling('nap'), { tools: [risky] });
  const other = agent('other', () => ({ text: 'other', latencyMs: 8_000 }));
  const onQuestion = () => new Promise((resolve) => clock.after(hour, () => resolve(true)));
  const { outcome } = await run([asTool(child)], { limits: timeout }, { onQuestion });
  expect(outcome.text).toBe('rested');
  const queued = await run(
    [asTool(other), asTool({ ...other, name: 'another' }), asTool({ ...other, name: 'third' })],
    { limits: timeout },
    { ports: fakePorts({ slots: createSlots({ models: 1, tools: 1 }) }) },
  );
  expect([queued.outcome.text, queued.tookMs]).toEqual(['other | other | other', 24_000]);
});
