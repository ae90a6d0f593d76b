// The smallest agent: a name, a prompt and a model. `offline/demo` needs no key and no network.

import assert from 'node:assert/strict';
import { ask } from 'ai-agent';

const outcome = await ask(
  { name: 'hello', model: 'offline/demo', instructions: 'You sum up what you are given in one sentence.' },
  'The ferry leaves at nine. It was late yesterday because of fog. Tickets are sold on board.',
);

console.log(outcome.text);
assert.equal(outcome.status, 'completed');
assert.match(outcome.text, /ferry/i);
assert.equal(outcome.ledger.total.modelCalls, 1);
