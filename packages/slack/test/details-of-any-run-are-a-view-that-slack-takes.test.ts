// The promise: however many worked on it and whatever they are called, its details are a view that Slack takes, with the total of its ledger.

import { type AgentEvent, AIAgentSession, defineAgent, type Fact, type SessionHead } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { detailsView } from '../src/act/details.ts';
import { ours } from '../src/blocks/limits.ts';
import { wordsOf } from './hold-to-limits.ts';

const session: SessionHead = {
  id: 's',
  agent: 'desk',
  owner: null,
  headend: 'slack',
  isDetached: false,
  status: 'completed',
  createdAt: 0,
  endedAt: 1,
  facts: 0,
  resumptions: 0,
};

/** One round, told as often as wanted, each by another name. */
async function toFacts(rounds: number, name: string): Promise<readonly Fact[]> {
  const events: AgentEvent[] = [];
  const agent = defineAgent({ name: 'desk', model: scriptedModel(['Done.']), instructions: 'Answer.' });
  await new AIAgentSession({ agent, ports: fakePorts(), onEvent: (event) => events.push(event) }).run('go').outcome;
  const facts = events.filter((event) => event.kind === 'fact');
  return Array.from({ length: rounds }, (_, round) => {
    const named = `${name}${round}`;
    const agent = { agentName: named, agentId: named, instanceName: named };
    const whose = { originId: named, selfId: named, callPath: named, ...agent };
    return facts.map((fact): Fact => {
      const told = { ...fact, trace: { ...fact.trace, ...whose } };
      return told.type === 'session-start' ? { ...told, title: `${'long '.repeat(40)}${round}` } : told;
    });
  }).flat();
}

test.each([0, 1, 60, 90])('%i rounds', async (rounds) => {
  const { blocks } = detailsView(session, await toFacts(rounds, 'n'.repeat(75)));
  expect(blocks.length).toBeLessThanOrEqual(100);
  for (const block of blocks) expect(wordsOf(block).length).toBeLessThanOrEqual(ours.richText);
  const words = wordsOf(blocks, '\n');
  for (let round = 0; round < Math.min(rounds, 60); round++) expect(words).toContain(`${'n'.repeat(75)}${round}\n`);
  expect(words.includes('and 30 more')).toBe(rounds === 90);
  expect(words.includes('Nobody yet')).toBe(rounds === 0);
  expect(JSON.stringify(blocks)).not.toMatch(/"text":""|"elements":\[\]/);
});

test('a long ledger is cut between characters, and its total stays', async () => {
  for (const name of ['😀😀', 'a😀😀']) {
    const last = wordsOf(detailsView(session, await toFacts(60, name.repeat(20))).blocks.at(-1));
    expect(last.length).toBeLessThanOrEqual(ours.richText);
    expect(last.isWellFormed()).toBe(true);
    expect(last).toMatch(/…\ntotal.*$/);
  }
});

test.each([
  ['interrupted', 0, 'interrupted'],
  ['completed', 1, 'interrupted'],
  ['running', 1, 'interrupted'],
  ['running', 0, 'running'],
] as const)(
  'what had not ended when it was cut off: the session is %s, in round %i',
  async (status, resumptions, word) => {
    const facts = (await toFacts(1, 's')).map((fact) => ({
      ...fact,
      trace: { ...fact.trace, originId: 's', selfId: 's' },
    }));
    const { endedAt: _, ...open } = session;
    const head = { ...(status === 'running' ? open : session), status, resumptions };
    const cutOff = facts.filter(({ type }) => type !== 'session-end') as readonly Fact[];
    const words = wordsOf(detailsView(head, cutOff).blocks, '\n');
    expect(words.slice(words.indexOf('Who worked on it'), words.indexOf('Ledger'))).toContain(word);
  },
);
