// An outcome has a report whatever its contract is: the text, or the validated JSON. A broken JSON contract has none.

import {
  type Agent,
  AIAgentSession,
  agentTool,
  asTool,
  type Outcome,
  outcomeOf,
  toOutcomeDocument,
} from '@ai-agent/core';
import type { Script } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const json = { format: 'json', schema: { type: 'object', required: ['sum'] } } as const;
const look = { name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' };
const calling: Script = ({ tools }, call) => (tools.length > 0 ? { calls: [{ name: 'look' }] } : `found ${call}`);

const lead = (script: Script, more: Partial<Agent> = {}) => agent('lead', script, more);
const short = { tools: [look], limits: { maxTurns: 2 } };

test.each<[string, Agent, Outcome['status'], unknown]>([
  ['a text contract', lead(['plain']), 'completed', 'plain'],
  ['text that looks like JSON', lead(['{"sum":1}']), 'completed', '{"sum":1}'],
  ['a Markdown contract', lead(['# Title'], { output: { format: 'markdown' } }), 'completed', '# Title'],
  ['a limit', lead(calling, short), 'partial', 'found 2'],
  ['a JSON contract', lead(['{"sum":1}'], { output: json }), 'completed', { sum: 1 }],
  ['a failure', lead([{ text: 'half', fail: { code: 'model-auth' } }]), 'failed', undefined],
  ['a broken JSON contract', lead(calling, { ...short, output: json }), 'partial', undefined],
  ['a JSON contract that is never kept', lead(() => 'words', { output: json }), 'failed', undefined],
])('%s', async (_, root, status, report) => {
  const { outcome, events } = await walk(root);
  expect(outcome.status).toBe(status);
  expect(outcome.report).toEqual(report);
  expect('report' in outcome).toBe(report !== undefined);
  const facts = events.flatMap((event) => (event.kind === 'fact' ? [event] : []));
  expect(outcomeOf(facts)?.report).toEqual(report);
  expect(toOutcomeDocument(outcome).report).toEqual(report);
});

test('a caller still gets the text of a sub-agent as text, and its JSON as a value', async () => {
  const reports: unknown[] = [];
  const made = agentTool({
    name: 'made',
    description: 'd',
    createSession: () => new AIAgentSession({ agent: agent('inner', ['in words']) }),
    mapResult: ({ report, text }) => {
      reports.push(report);
      return text;
    },
  });
  const tools = [asTool(agent('words', ['in words'])), asTool(agent('data', ['{"sum":1}'], { output: json })), made];
  const calls = tools.map(({ name }) => ({ name, input: { reason: 'r' } }));
  const { events } = await walk(agent('lead', [{ calls }, 'done'], { tools }));
  const results = events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
  expect(results.map(({ text, value }) => [text, value])).toEqual([
    ['in words', undefined],
    ['{"sum":1}', { sum: 1 }],
    ['in words', undefined],
  ]);
  expect(reports).toEqual(['in words']);
});
