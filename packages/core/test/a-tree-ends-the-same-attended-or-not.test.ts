// Trees of any shape whose agents ask and need leave: answered while they run or run by run, they come to the same end.

import {
  type Agent,
  asTool,
  defineTool,
  type Hold,
  MemoryPauses,
  type ModelRequest,
  type Question,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type ScriptedCall, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { walk } from './support/walk.ts';

interface Shape {
  readonly name: string;
  /** The calls of each turn: tools by their name, sub-agents by their shape. */
  readonly turns: readonly (readonly (string | Shape)[])[];
  readonly hold: Hold;
}

/** The same numbers for the same seed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function toShape(roll: () => number, levels: number, name: string): Shape {
  const some = <T>(most: number, make: (i: number) => T) =>
    Array.from({ length: 1 + Math.floor(roll() * most) }, (_, i) => make(i));
  const pick = <T>(...from: readonly [T, ...T[]]) => from[Math.floor(roll() * from.length)] ?? from[0];
  const turns = some(2, (turn) =>
    some(3, (i) => {
      const isChild = levels > 0 && roll() < 0.45;
      return isChild ? toShape(roll, levels - 1, `${name}_${turn}${i}`) : pick('look', 'drop', 'ask_user');
    }),
  );
  return { name, turns, hold: pick<Hold>('fresh', 'kept', { pool: 1 }) };
}

function toAgent({ name, turns, hold }: Shape, ran: string[]): Agent {
  const children = turns.flat().flatMap((call) => (typeof call === 'string' ? [] : [asTool(toAgent(call, ran))]));
  const execute = ({ id }: { id: string }) => {
    ran.push(id);
    return id;
  };
  const inputSchema = { type: 'object' };
  const look = defineTool({ name: 'look', inputSchema, execute });
  const drop = defineTool({ name: 'drop', inputSchema, execute, needsApproval: true });
  const model = scriptedModel((request) => {
    const { calls, results } = partsOf(request);
    // What every provider demands: a result for each call.
    expect(results.map(({ id }) => id).sort()).toEqual(calls.map(({ id }) => id).sort());
    const done = request.messages.filter(({ role }) => role === 'assistant').length;
    const next = turns[done];
    if (!next)
      return results
        .map(({ text }) => text)
        .sort()
        .join();
    return { calls: next.map((call, i) => toCall(call, `${name}:${done}:${i}`)) };
  });
  return { name, description: 'd', instructions: 'i', ask: 'person', hold, tools: [look, drop, ...children], model };
}

function toCall(call: string | Shape, id: string): ScriptedCall {
  if (typeof call !== 'string') return { id, name: call.name, input: { text: 'x', reason: 'r' } };
  return { id, name: call, input: call === 'ask_user' ? { question: id } : { id } };
}

function partsOf({ messages }: ModelRequest) {
  return {
    calls: messages.flatMap((message) =>
      message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part] : [])) : [],
    ),
    results: messages.flatMap((message) => (message.role === 'tool' ? message.content : [])),
  };
}

const answerTo = ({ type, text }: Question) => (type === 'approval' ? 'yes' : `answer ${text}`);

async function runByRun(agent: Agent) {
  const pauses = new MemoryPauses();
  let runs = 0;
  const options = () => ({ ports: fakePorts({ clock: new FakeClock(), pauses }), sessionId: `run${++runs}` });
  let { outcome } = await walk(agent, 'go', options());
  while (outcome.status === 'needs_user_input') {
    const { question, resume } = outcome;
    ({ outcome } = await walk(agent, answerTo(question), { ...options(), resume }));
  }
  return { outcome, runs };
}

test.each(Array.from({ length: 60 }, (_, i) => i + 1))('a tree of shape %i', async (seed) => {
  const shape = toShape(dice(seed * 7_919), 3, 'root');
  const [attended, unattended]: [string[], string[]] = [[], []];
  const whole = await walk(toAgent(shape, attended), 'go', { onQuestion: answerTo });
  expect(whole.outcome.status).toBe('completed');
  const { outcome } = await runByRun(toAgent(shape, unattended));
  expect(outcome).toMatchObject({ status: 'completed', text: whole.outcome.text });
  // Nothing is left out, and nothing is done twice.
  expect(unattended.sort()).toEqual(attended.sort());
  expect(new Set(unattended).size).toBe(unattended.length);
});
