// Advisors are heard before an agent, a router hands over to whoever answers, handoffs go on from the answer.

import assert from 'node:assert/strict';
import { type Agent, AIAgentSession, asPartner } from 'ai-agent';
import { scriptedModel } from 'ai-agent/testing';

const agent = (name: string, says: string, more: Partial<Agent> = {}): Agent => ({
  name,
  instructions: `You are ${name}.`,
  model: scriptedModel([says]),
  ...more,
});

const complaints = agent('complaints', 'You get half of the fare back.', {
  description: 'Answers complaints',
  advisors: [
    asPartner(agent('rules', 'Two hours late: half of the fare.')),
    asPartner(agent('goodwill', 'A coffee on board.')),
  ],
  handoff: [asPartner(agent('tone', 'We are sorry. Half of the fare is yours, and the next coffee.'))],
});

const office: Agent = {
  name: 'office',
  instructions: 'Hand every request over to whoever it is for.',
  model: scriptedModel([{ calls: [{ name: 'router__handoff-to', input: { agent: 'complaints' } }] }]),
  router: { destinations: [asPartner(complaints)] },
};

const run = new AIAgentSession({ agent: office }).run('My ferry was two hours late.');

// Of all that is said on the way, only the last of the chain is the answer.
let streamed = '';
for await (const event of run.events) {
  if (event.type === 'session-start')
    console.log(`${'  '.repeat(event.depth)}${event.partner ?? 'agent'} ${event.trace.agentName}`);
  if (event.type === 'text-delta' && event.answers === run.sessionId) streamed += event.text;
}

const outcome = await run.outcome;
console.log(`\n${outcome.text}`);

assert.equal(outcome.text, 'We are sorry. Half of the fare is yours, and the next coffee.');
assert.equal(streamed, outcome.text);
assert.deepEqual(Object.keys(outcome.ledger.byPath).sort(), [
  'office',
  'office:complaints',
  'office:complaints:goodwill',
  'office:complaints:rules',
  'office:complaints:tone',
]);
