// Two models in one list: when the first is down, it is tried again, then the second goes on with the same conversation.

import assert from 'node:assert/strict';
import { type Agent, ask, createModels } from 'ai-agent';
import { serveScript } from 'ai-agent/testing';

// Two providers on this machine, over real HTTP: one that is always busy, and one that answers.
const busy = await serveScript(() => ({ fail: { code: 'model-unavailable', status: 503 } }));
const steady = await serveScript(['Hello from the second model.']);
const models = createModels({
  providers: {
    first: { type: 'openai-compatible', baseUrl: busy.baseUrl },
    second: { type: 'openai-compatible', baseUrl: steady.baseUrl },
  },
});

const greeter: Agent = {
  name: 'greeter',
  instructions: 'You greet.',
  model: ['first/large', 'second/small'],
  // Requests to one model before the next is asked, the first included.
  limits: { maxRetries: 2 },
};

const outcome = await ask(greeter, 'Hello?', {
  ports: { models: models.resolve },
  onFact: (fact) => {
    if (fact.type !== 'model-end') return;
    for (const { provider, failure } of fact.requests)
      if (failure) console.log(`${provider} failed: ${failure.message}`);
    console.log(`${fact.provider} answered`);
  },
});
console.log(outcome.text);
await Promise.all([models.close(), busy.close(), steady.close()]);

assert.equal(outcome.status, 'completed');
const requests = outcome.ledger.entries.flatMap((entry) =>
  entry.type === 'model' ? [`${entry.provider} ${entry.status}`] : [],
);
assert.deepEqual(requests, ['first failed', 'first failed', 'second ok']);
