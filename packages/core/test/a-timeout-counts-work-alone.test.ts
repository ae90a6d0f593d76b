// T7, T9: a clock starts when work starts, never while it queues or waits for a person; when it runs out, that is a value in words.

import {
  type Agent,
  AIAgentSession,
  agentTool,
  asTool,
  createSlots,
  defineTool,
  type Outcome,
  sleep,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { beforeEach, expect, test } from 'vitest';
import { inItsTime, nextTick, start } from './support/walk.ts';

type Config = NonNullable<Parameters<typeof start>[2]>;

let clock = new FakeClock();
let startedAt = clock.now();
beforeEach(() => {
  clock = new FakeClock();
  startedAt = clock.now();
});

const spentMs = () => clock.now() - startedAt;
const callTo = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });

function agent(name: string, script: Script, more: Partial<Agent> = {}) {
  const model = scriptedModel(script, { clock });
  return { name, description: `does ${name}`, instructions: `You are ${name}.`, ...more, model };
}

/** To its end, and nothing is left on the clock. */
async function run(root: Agent, { ports, ...more }: Partial<Config> = {}): Promise<Outcome> {
  const { outcome } = start(root, 'go', { ...more, ports: fakePorts({ ...ports, clock }) });
  const ended = await inItsTime(clock, outcome);
  expect(clock.timers).toBe(0);
  expect(ended.ledger.total).toEqual(ended.usage);
  return ended;
}

/** Makes these calls at once, then ends with what it was told. */
const once =
  (...calls: readonly string[]): Script =>
  ({ messages }) => {
    const last = messages.at(-1);
    if (messages.length === 1) return { text: 'first words', calls: calls.map(callTo) };
    return last?.role === 'tool' ? last.content.map(({ text }) => text).join(' | ') : 'in the end';
  };

/** Takes its time; ends when it may not go on. */
const slow =
  (latencyMs: number, text = 'slowly'): Script =>
  ({ messages }) =>
    messages.length > 1 ? { text: 'so far' } : { text, latencyMs };

const sleeping = (name: string, durationMs: number, more: { timeoutMs?: number } = {}) =>
  defineTool({
    name,
    inputSchema: { type: 'object' },
    execute: async (_, { signal }) => {
      await sleep(clock, durationMs, signal);
      return `${name} done`;
    },
    ...more,
  });

test('llmTimeoutMs is for one request: it is tried again, and in the end a failure in words', async () => {
  const stuck = agent('lead', () => ({ text: 'late', latencyMs: 5_000 }), { limits: { llmTimeoutMs: 1_500 } });
  const outcome = await run(stuck);
  const failure = { class: 'timeout', code: 'model-timeout', retryable: true };
  expect(outcome).toMatchObject({ status: 'failed', failure });
  expect(outcome).toMatchObject({ failure: { message: 'The model scripted/model did not answer within 1.5 s.' } });
  expect(stuck.model.requests).toHaveLength(3);
  const second: Script = (_, call) => ({ text: 'at last', latencyMs: call === 1 ? 5_000 : 1_400 });
  const outcomeOfSecond = await run(agent('lead', second, { limits: { llmTimeoutMs: 1_500 } }));
  expect(outcomeOfSecond).toMatchObject({ status: 'completed', text: 'at last' });
  expect(outcomeOfSecond.ledger.entries).toMatchObject([{ status: 'failed' }, { status: 'ok' }]);
});

test('toolTimeoutMs and timeoutMs of a tool: the call fails in words, is told, and its siblings live on', async () => {
  const signals: AbortSignal[] = [];
  const stuck = defineTool({
    name: 'stuck',
    inputSchema: { type: 'object' },
    execute: (_, { signal }) => new Promise<never>(() => signals.push(signal)),
  });
  const tools = [stuck, sleeping('brief', 800, { timeoutMs: 500 }), sleeping('long', 3_000, { timeoutMs: 9_000 })];
  const lead = agent('lead', once('stuck', 'brief', 'long'), { tools, limits: { toolTimeoutMs: 1_000 } });
  const outcome = await run(lead);
  expect(outcome.status).toBe('completed');
  const [first, second, third] = outcome.text.split(' | ');
  expect(first).toMatch(/^Failed \(timeout\): The tool stuck was not done within 1 s\.\nWhat to do: Ask for less/);
  expect(second).toMatch(/^Failed \(timeout\): The tool brief was not done within 500 ms\./);
  expect(third).toMatch(/^Failed \(timeout\): The tool long was not done within 1 s\./);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await nextTick();
  expect(spentMs()).toBe(1_000);
});

test('behind slots with one place, and behind maxParallel, nobody loses time', async () => {
  const limits = { llmTimeoutMs: 1_000, toolTimeoutMs: 1_000 };
  const child = agent('child', slow(800), { limits, budget: { timeMs: 1_000 } });
  const lead = agent('lead', once('child', 'child', 'child', 'nap', 'nap'), {
    tools: [asTool(child), sleeping('nap', 900)],
    limits: { ...limits, maxParallel: 5 },
  });
  const crowded = await run(lead, { ports: fakePorts({ slots: createSlots({ models: 1, tools: 1 }) }) });
  expect(crowded.text).toBe('slowly | slowly | slowly | nap done | nap done');
  expect(spentMs()).toBe(2_400);
  const inRow = await run({ ...lead, limits: { ...limits, maxParallel: 1 } });
  expect(inRow.text).toBe(crowded.text);
});

test('in wait of its share of a budget, a child loses no time', async () => {
  const settings = { maxOutputTokens: 2_500 };
  const first = agent('first', slow(900), { settings });
  const second = agent('second', slow(300), { settings, budget: { timeMs: 500 } });
  const tools = [asTool(first), asTool(second)];
  const outcome = await run(agent('lead', once('first', 'second'), { tools, settings, budget: { tokens: 10_000 } }));
  expect(outcome).toMatchObject({ status: 'completed', text: 'slowly | slowly' });
  expect(spentMs()).toBe(1_200);
});

test('waiting for a person is no work, at the root and below', async () => {
  const hour = 3_600_000;
  const tool = { ...sleeping('risky', 100), needsApproval: true };
  const more = { limits: { toolTimeoutMs: 1_000, llmTimeoutMs: 1_000 }, budget: { timeMs: 1_000 }, tools: [tool] };
  const child = agent('child', once('risky'), more);
  const lead = agent('lead', once('risky', 'child'), { ...more, tools: [tool, asTool(child)] });
  const onQuestion = () => new Promise((resolve) => clock.after(hour, () => resolve(true)));
  const outcome = await run(lead, { onQuestion });
  expect(outcome).toMatchObject({ status: 'completed', text: 'risky done | risky done' });
  expect(spentMs()).toBe(2 * hour + 100);
});

test('timeoutMs of an agent tool, and timeMs of a child: it ends with what it has, its siblings and its caller live on', async () => {
  const child = agent('child', slow(60_000));
  const brisk = agent('brisk', slow(20_000, 'brisk'));
  const made = agentTool({
    name: 'made',
    description: 'runs a child',
    timeoutMs: 10_000,
    createSession: () => new AIAgentSession({ agent: child }),
  });
  const tools = [made, asTool({ ...child, name: 'own', budget: { timeMs: 5_000 } }), asTool(brisk)];
  const outcome = await run(agent('lead', once('made', 'own', 'brisk'), { tools }));
  expect(outcome.status).toBe('completed');
  const partial = 'Partial: the limit timeMs stopped this before it was done\\.[^|]*so far';
  expect(outcome.text).toMatch(new RegExp(`^${partial} \\| ${partial} \\| brisk$`));
  expect(spentMs()).toBe(20_000);
});

test('timeMs of the root is for all of its tree: every level has its last word, the root the last', async () => {
  const thinking =
    (name: string, ...calls: readonly string[]): Script =>
    ({ messages }) => {
      if (messages.length === 1 && calls.length > 0) return { calls: calls.map(callTo) };
      const isLast = messages.length > 1 && messages.at(-1)?.role === 'user';
      return isLast ? `${name} at ${spentMs()}` : { text: 'never', latencyMs: 60_000 };
    };
  const leaf = agent('leaf', thinking('leaf'));
  const middle = agent('middle', thinking('middle', 'leaf', 'leaf'), { tools: [asTool(leaf)] });
  const tools = [asTool(middle)];
  const outcome = await run(agent('lead', thinking('lead', 'middle', 'middle'), { tools, budget: { timeMs: 10_000 } }));
  expect(outcome).toMatchObject({ status: 'partial', limit: 'timeMs', text: 'lead at 9000' });
  const said = JSON.stringify(outcome.conversations);
  expect(said.match(/leaf at 7000/g)).toHaveLength(8);
  expect(said.match(/middle at 8000/g)).toHaveLength(4);
});

test('a last word that takes too long is cut off, and what was said before is kept', async () => {
  const lead = agent(
    'lead',
    ({ messages }) =>
      messages.length > 1 ? { text: 'too late', latencyMs: 60_000 } : { text: 'early', calls: [{ name: 'nap' }] },
    { tools: [sleeping('nap', 60_000)], budget: { timeMs: 10_000 } },
  );
  const outcome = await run(lead);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'timeMs', text: 'early' });
  expect(spentMs()).toBe(10_000);
});

test('a child cannot have more time than its caller, and new ones are not begun when theirs is over', async () => {
  const child = agent('child', slow(60_000), { budget: { timeMs: 3_600_000 } });
  const again: Script = ({ tools }) => (tools.length > 0 ? { text: 'on', calls: [callTo('child')] } : 'enough');
  const outcome = await run(agent('lead', again, { tools: [asTool(child)], budget: { timeMs: 10_000 } }));
  expect(outcome).toMatchObject({ status: 'partial', limit: 'timeMs', text: 'enough' });
  expect(spentMs()).toBeLessThanOrEqual(10_000);
});
