// T3: a limit gives one last turn without tools; then the session is partial, the limit named, the work kept.

import { type Agent, ask, asTool, defineTool, type Fact, type Message } from '@ai-agent/cli';
import type { Script } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { type Door, throughEveryDoor } from './support/doors.ts';

const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'something' });
const usage = { inputTokens: 200, outputTokens: 20 };

/** Looks as long as it may, and sums up when it may not. */
const curious: Script = (request, call) =>
  request.tools.length > 0
    ? { text: `Found ${call}.`, calls: [{ name: 'look' }], usage }
    : { text: `All in all ${call - 1}.`, usage };

const limits: readonly (readonly [string, Partial<Agent>, number])[] = [
  ['maxTurns', { limits: { maxTurns: 3 } }, 2],
  ['tokens', { budget: { tokens: 1_740 } }, 2],
  ['turns', { budget: { turns: 3 } }, 2],
  ['toolCalls', { budget: { toolCalls: 1 } }, 2],
];

/** A lead that calls one child once, and what it was told. */
async function underLead(door: Door, name: string, script: Script, more: Partial<Agent>) {
  const child = await door.agent(name, script, { tools: [look], ...more });
  const lead = await door.agent(
    'lead',
    (request) =>
      request.messages.length > 1 ? 'made do' : { calls: [{ name, input: { text: 'go', reason: 'to know' } }] },
    { tools: [asTool(child)] },
  );
  const facts: Fact[] = [];
  const outcome = await ask(lead, 'go', { runtime: door.runtime, onFact: (fact) => facts.push(fact) });
  const below = facts.find((fact) => fact.type === 'session-end' && fact.trace.agentName === name);
  const ended = below?.type === 'session-end' ? below.ending : undefined;
  return { outcome, ended, told: toldIn(outcome.conversations[outcome.sessionId]), facts };
}

function toldIn(conversation: readonly Message[] = []): string {
  const results = conversation.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return results.map(({ text }) => text).join('\n');
}

throughEveryDoor('a limit ends with the work kept', (door) => {
  for (const [limit, more, found] of limits) {
    test(`${limit}: a last turn without tools, then partial, and the caller reads which limit and what there is`, async () => {
      const { outcome, ended, told, facts } = await underLead(door, 'child', curious, more);
      expect(outcome).toMatchObject({ status: 'completed', text: 'made do' });
      expect(ended).toEqual({ status: 'partial', limit, text: `All in all ${found}.` });
      expect(told).toMatch(new RegExp(`^Partial: the limit ${limit} stopped this[\\s\\S]*What to do:[\\s\\S]*in all`));
      const last = facts.findLast((fact) => fact.type === 'turn-start' && fact.trace.agentName === 'child');
      expect(last).toMatchObject({ limit, said: [{ role: 'user' }] });
      expect(JSON.stringify(last)).toContain(`The limit ${limit} is reached`);
      const result = facts.find((fact) => fact.type === 'tool-end' && fact.result.session);
      expect(result).toMatchObject({ result: { status: 'ok', session: { status: 'partial', limit } } });
    });

    test(`${limit}: a model that will not sum up loses nothing that it said before`, async () => {
      const stubborn: Script = (_, call) => ({ text: `Found ${call}.`, calls: [{ name: 'look' }], usage });
      const { outcome, ended } = await underLead(door, 'child', stubborn, more);
      expect(outcome.status).toBe('completed');
      expect(ended).toEqual({ status: 'partial', limit, text: `Found ${found + 1}.` });
    });

    test(`${limit}: the root too`, async () => {
      const root = await door.agent('root', curious, { tools: [look], ...more });
      const outcome = await ask(root, 'go', { runtime: door.runtime });
      expect(outcome).toMatchObject({ status: 'partial', limit, text: `All in all ${found}.` });
    });
  }

  test('a JSON contract without valid JSON has text and no report, and with it a report', async () => {
    const output = { format: 'json', schema: { type: 'object', required: ['sum'] } } as const;
    const more = { limits: { maxTurns: 2 }, output };
    const prose = await underLead(door, 'child', curious, more);
    expect(prose.ended).toEqual({ status: 'partial', limit: 'maxTurns', text: 'All in all 1.' });
    expect(prose.told).toContain('All in all 1.');
    const wrong: Script = (request, call) =>
      request.tools.length > 0 ? { calls: [{ name: 'look' }] } : { text: `{"total":${call}}` };
    for (const maxRepairs of [0, 3]) {
      const { ended } = await underLead(door, 'child', wrong, { ...more, limits: { maxTurns: 2, maxRepairs } });
      expect(ended).toEqual({ status: 'partial', limit: 'maxTurns', text: '{"total":2}' });
    }
    const right: Script = (request) => (request.tools.length > 0 ? { calls: [{ name: 'look' }] } : '{"sum":3}');
    expect((await underLead(door, 'child', right, more)).ended).toEqual({
      status: 'partial',
      limit: 'maxTurns',
      text: '{"sum":3}',
      report: { sum: 3 },
    });
  });

  test('a child without a word to show is no success either: the caller reads the limit', async () => {
    const mute: Script = () => ({ calls: [{ name: 'look' }] });
    const { ended, told } = await underLead(door, 'child', mute, { limits: { maxTurns: 2 } });
    expect(ended).toEqual({ status: 'partial', limit: 'maxTurns', text: '' });
    expect(told).toMatch(/^Failed \(budget\): The limit maxTurns stopped this before it had produced anything/);
  });

  test('only before the first reply it is a failure, and the caller goes on all the same', async () => {
    for (const budget of [{ tokens: 3 }, { turns: 0 }]) {
      const { outcome, ended, told } = await underLead(door, 'child', curious, { budget });
      const [limit] = Object.keys(budget);
      expect(ended).toMatchObject({ status: 'failed', text: '', failure: { class: 'budget', limit } });
      expect(told).toMatch(/^Failed \(budget\): [\s\S]*What to do: /);
      expect(outcome).toMatchObject({ status: 'completed', text: 'made do' });
      const root = await door.agent('root', curious, { tools: [look], budget });
      expect(await ask(root, 'go', { runtime: door.runtime })).toMatchObject({
        status: 'failed',
        failure: { class: 'budget', code: 'budget-exhausted', limit },
        usage: { inputTokens: 0 },
      });
    }
  });

  test('one turn in all is an answer, not a limit', async () => {
    const { ended } = await underLead(door, 'child', () => 'at once', { limits: { maxTurns: 1 } });
    expect(ended).toEqual({ status: 'completed', text: 'at once' });
  });

  test('an answer within the limit is complete, however close', async () => {
    const brief: Script = (_, call) => (call === 1 ? { calls: [{ name: 'look' }], usage } : { text: 'done', usage });
    for (const more of [{ budget: { turns: 3 } }, { budget: { toolCalls: 1 } }, { limits: { maxTurns: 3 } }])
      expect((await underLead(door, 'child', brief, more)).ended).toEqual({ status: 'completed', text: 'done' });
  });
});
