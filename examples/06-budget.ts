// One budget covers a whole tree. When it runs out nothing is lost: what was done is said, and the outcome is partial.

import assert from 'node:assert/strict';
import { type Agent, ask, asTool } from 'ai-agent';

const reader: Agent = {
  name: 'reader',
  description: 'Reads one chapter and says what is in it',
  model: 'offline/demo',
  instructions: 'You say what is in the chapter you are given.',
};

const lead: Agent = {
  name: 'lead',
  model: 'offline/demo',
  instructions: 'You have chapters read by your sub-agent and combine what it says.',
  tools: [asTool(reader)],
};

const prompt = 'Chapter one: the shop opens. Chapter two: the shop is full. Chapter three: the shop moves.';

const whole = await ask(lead, prompt);
const used = whole.usage.inputTokens + whole.usage.outputTokens;
console.log(`without a budget: ${whole.status}, ${used} tokens in ${whole.usage.modelCalls} model calls`);

// Budgets are reserved before a call, with room for last words: what it took is enough to begin, not to finish as planned.
const budget = { tokens: Math.round(used * 1.3), timeMs: 60_000, descendants: 8 };
const outcome = await ask(lead, prompt, { budget });
const spent = outcome.usage.inputTokens + outcome.usage.outputTokens;
console.log(
  `with ${budget.tokens} tokens: ${outcome.status}, ${spent} tokens in ${outcome.usage.modelCalls} model calls`,
);
if (outcome.status === 'partial') console.log(`the limit ${outcome.limit} ended it\n\n${outcome.text}`);

assert.equal(whole.status, 'completed');
assert.equal(outcome.status, 'partial');
assert.equal(outcome.limit, 'tokens');
assert.notEqual(outcome.text, '');
assert.ok(spent <= budget.tokens, 'all sessions together stayed within the budget');
