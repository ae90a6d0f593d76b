// A tool is a name, a JSON Schema and a function. What it throws or gets wrong comes back to the model as words.

import assert from 'node:assert/strict';
import { ask, defineTool, fail } from 'ai-agent';
import { scriptedModel } from 'ai-agent/testing';

const stock = new Map([['pear', 3]]);

const lookUp = defineTool<{ article: string }>({
  name: 'look_up',
  description: 'Says how many of an article are in stock',
  inputSchema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
  execute({ article }) {
    const count = stock.get(article);
    if (count === undefined)
      return fail(`There is no article "${article}". Known are: ${[...stock.keys()].join(', ')}.`);
    return { type: 'json', value: { article, count }, summary: `${count} × ${article}` };
  },
});

// A model under our control shows what a real one goes through: a wrong call, the reason, and the right one.
const model = scriptedModel([
  { calls: [{ name: 'look_up', input: { article: 'Pear' } }] },
  { calls: [{ name: 'look_up', input: { article: 'pear' } }] },
  'There are 3 pears left.',
]);

const outcome = await ask(
  { name: 'clerk', model, instructions: 'You answer questions about the stock.', tools: [lookUp] },
  'Any pears?',
);

console.log(outcome.text);
assert.equal(outcome.text, 'There are 3 pears left.');
const calls = outcome.ledger.entries.filter((entry) => entry.type === 'tool');
assert.deepEqual(
  calls.map((call) => call.status),
  ['failed', 'ok'],
);
assert.match(JSON.stringify(model.requests[1]?.messages), /Known are: pear/);
