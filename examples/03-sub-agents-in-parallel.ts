// Any agent is a tool of any other. Two calls in one turn run side by side; every token is accounted to who spent it.

import assert from 'node:assert/strict';
import { type Agent, AIAgentSession, asTool, finSummaryOf } from 'ai-agent';

const researcher: Agent = {
  name: 'researcher',
  description: 'Finds the facts in a text',
  model: 'offline/demo',
  instructions: 'You list the facts of the text you are given.',
};

const critic: Agent = {
  name: 'critic',
  description: 'Finds what is doubtful in a text',
  model: 'offline/demo',
  instructions: 'You say what is doubtful in the text you are given.',
};

const lead: Agent = {
  name: 'lead',
  model: 'offline/demo',
  instructions: 'You have a text examined by your sub-agents and combine what they say.',
  tools: [asTool(researcher), asTool(critic)],
};

const run = new AIAgentSession({ agent: lead }).run(
  'Our shop sold 40 bicycles in May. Nobody has ever returned one. In June it sold 55.',
);

// Facts and hints of the whole tree arrive in one stream.
for await (const event of run.events) {
  if (event.type === 'session-start') console.log(`${'  '.repeat(event.depth)}${event.trace.instanceName} started`);
  if (event.type === 'session-end')
    console.log(`${event.trace.parentId ? '  ' : ''}${event.trace.instanceName} ${event.ending.status}`);
}

const outcome = await run.outcome;
console.log(`\n${outcome.text}\n\n${finSummaryOf(outcome.ledger).lines.join('\n')}`);

assert.equal(outcome.status, 'completed');
assert.deepEqual(Object.keys(outcome.ledger.byPath).sort(), ['lead', 'lead:critic', 'lead:researcher']);
assert.equal(outcome.ledger.total.modelCalls, 4);
