// The promise: there is no field of a fact in which a key would be shown, also when the fact was told elsewhere.
import { type AgentEvent, asTool, defineTool, type Fact, inProcess } from '@ai-agent/core';
import { fakePorts, type Step } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Scope } from '../src/abort.ts';
import { plantRun } from '../src/plant-run.ts';
import { keys } from './support/keys.ts';
import { agent, walk } from './support/walk.ts';

const key = keys.openai ?? '';

test('every text of every fact is looked at, also when it was told elsewhere', async () => {
  const child = agent(
    'child',
    [{ calls: [{ name: 'ask_user', input: { question: 'Which?', choices: ['a', 'b'] } }] }],
    { ask: 'caller' },
  );
  const script: readonly Step[] = [
    { fail: { code: 'model-unavailable' } },
    {
      reasoning: 'r',
      calls: [
        { name: 'look', input: { a: 1 } },
        { name: 'agent__child', input: { text: 't', reason: 'why' } },
        { name: 'ask_user', input: { question: 'Q?' } },
        { name: 'agent__task_status', input: { status: 'starting', now: 'n', done: 'd', pending: 'p' } },
        { name: 'agent__batch', input: { calls: [{ id: 'i', tool: 'look', parameters: { a: 2 } }] } },
      ],
    },
    { fail: { code: 'model-auth' } },
  ];
  const tool = defineTool({
    name: 'look',
    inputSchema: { type: 'object' },
    execute: () => ({ type: 'json', value: { a: ['b'] }, summary: 's' }),
  });
  const { events } = await walk(
    agent('lead', script, { tools: [tool, asTool(child)], ask: 'person', batch: true }),
    'go',
    {
      onQuestion: () => ({ a: 'b' }),
    },
  );
  const telling = ['tool-progress', 'task-status'];
  const facts = events.filter((event) => event.kind === 'fact' || telling.includes(event.type));
  expect(new Set(facts.map(({ type }) => type)).size).toBeGreaterThanOrEqual(12);
  const missed = facts.flatMap((fact) =>
    textsOf(fact).filter((path) => JSON.stringify(told(withText(fact, path, key))).includes(key)),
  );
  expect(missed).toEqual([]);
});

/** Where the texts of an event are that somebody else may have written. */
function textsOf(value: unknown, path: readonly string[] = []): string[][] {
  const own = [
    'kind',
    'type',
    'op',
    'trace',
    'callerOp',
    'label',
    'namespace',
    'instance',
    'tools',
    'limit',
    'role',
    'format',
    'child',
  ];
  const ours = ['status', 'class', 'code', 'finishReason', 'handle', 'agentName', 'sessionId', 'to', 'resume'];
  if (typeof value === 'string') return [[...path]];
  if (typeof value !== 'object' || value === null) return [];
  const isRecord = path.at(-1) === 'session';
  return Object.entries(value).flatMap(([name, item]) =>
    [...own, ...ours, ...(isRecord ? ['id'] : [])].includes(name) ? [] : textsOf(item, [...path, name]),
  );
}

function withText(fact: AgentEvent, path: readonly string[], text: string): Fact {
  const copy = structuredClone(fact) as unknown as Record<string, unknown>;
  const owner = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, copy);
  owner[path.at(-1) ?? ''] = text;
  return copy as unknown as Fact;
}

/** What a listener hears of a fact that comes from elsewhere. */
function told(fact: Fact): unknown {
  const scope = new Scope(() => 0);
  const run = plantRun({ ports: fakePorts(), runtime: inProcess, scope });
  const heard: unknown[] = [];
  run.listen((event) => heard.push(event), { hints: true });
  run.emit(fact);
  expect(heard).toHaveLength(1);
  return heard;
}
