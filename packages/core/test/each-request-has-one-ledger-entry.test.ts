// One ledger entry per request to a model, with the ending and the usage that hold for the call.

import { AgentError, type Middleware, type Model } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, inItsTime, start, walk } from './support/walk.ts';

const failing: Model = {
  ...{ provider: 'p', model: 'm' },
  call: async () => {
    throw new AgentError('model-auth', 'The key is wrong.');
  },
};

test('a model that ends a late request with an error of its own has timed out once', async () => {
  const clock = new FakeClock();
  const model: Model = {
    ...{ provider: 'p', model: 'm' },
    call: (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('socket closed')));
      }),
  };
  const limits = { llmTimeoutMs: 1_000, maxRetries: 1 };
  const run = start({ ...agent('lead', []), model, limits }, 'go', { ports: fakePorts({ clock }) });
  const outcome = await inItsTime(clock, run.outcome);
  expect(outcome.ledger.entries).toMatchObject([{ status: 'failed', failureClass: 'timeout', latencyMs: 1_000 }]);
  expect(outcome.ledger.total).toMatchObject({ modelCalls: 1, unknownUsageCalls: 1 });
});

test('a layer that words a failure anew adds no request', async () => {
  const wording: Middleware = {
    name: 'wording',
    perform: {
      model: (work, next) =>
        next(work).catch(() => {
          throw new AgentError('model-auth', 'Ask the operator for a key.');
        }),
    },
  };
  const { outcome } = await walk({ ...agent('lead', []), model: failing, middleware: [wording] });
  expect(outcome).toMatchObject({ failure: { message: 'Ask the operator for a key.' } });
  expect(outcome.ledger.entries).toMatchObject([{ status: 'failed', failureClass: 'auth' }]);
  expect(outcome.tree?.turns[0]?.operations).toMatchObject([{ type: 'model', status: 'failed' }]);
});

test('usage that was reported on the way counts for a reply without usage', async () => {
  const model: Model = {
    ...{ provider: 'p', model: 'm' },
    call: async (_request, { onUsage }) => {
      onUsage?.({ inputTokens: 100, outputTokens: 7 });
      return {
        message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
        finishReason: 'stop',
        usage: {},
      };
    },
  };
  const { outcome } = await walk({ ...agent('lead', []), model });
  expect(outcome.usage).toMatchObject({ inputTokens: 100, outputTokens: 7, unknownUsageCalls: 0 });
});

test('usage that a request reports after its end does not count', async () => {
  let reportLate = () => {};
  let requests = 0;
  const model: Model = {
    ...{ provider: 'p', model: 'm' },
    call: async (_request, { onUsage }) => {
      requests += 1;
      if (requests === 1) {
        reportLate = () => onUsage?.({ inputTokens: 9_000, outputTokens: 900 });
        throw new AgentError('model-unavailable', 'Overloaded.');
      }
      reportLate();
      return {
        message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
        finishReason: 'stop',
        usage: { inputTokens: 100, outputTokens: 7 },
      };
    },
  };
  const { outcome } = await walk({ ...agent('lead', []), model });
  expect(outcome.usage).toMatchObject({ inputTokens: 100, outputTokens: 7, unknownUsageCalls: 1 });
});
