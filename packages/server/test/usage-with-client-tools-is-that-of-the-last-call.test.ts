// The promise: a client that runs tools of its own is told what the last call of the root used, which is how full its context is; others, and everybody beside that, what the whole tree used.

import { asTool, type ToolOffer } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { clientToolOf, TalkClient, talkHouse } from './support/talk-client.ts';

const usage = (inputTokens: number, outputTokens: number) => ({ usage: { inputTokens, outputTokens } });
const weather = clientToolOf('weather');

/** Calls a child, then the client, then answers; each call of a model costs another amount. */
function plant() {
  const child = agentOf('child', () => ({ text: 'done', ...usage(1_000, 500) }));
  return agentOf(
    'lead',
    (_request, turn) => {
      if (turn === 1) return { calls: [{ name: 'child', input: { text: 'go', reason: 'r' } }], ...usage(10, 1) };
      if (turn === 2) return { calls: [{ name: 'weather' }], ...usage(20, 2) };
      return { text: 'Sunny.', ...usage(40, 4) };
    },
    { tools: [asTool(child) as ToolOffer] },
  );
}

describe.each([false, true])('in pieces: %s', (isStream) => {
  test('with tools of the client: the last call of the root, and the tree beside it, over all rounds', async () => {
    const client = new TalkClient(talkHouse([plant()]).app, 'lead', { tools: [weather], isStream });
    const asks = await client.say('Go.');
    expect([asks.usage.prompt_tokens, asks.usage.completion_tokens]).toEqual([20, 2]);
    expect(asks.about.usage).toMatchObject({ inputTokens: 1_030, outputTokens: 503, modelCalls: 3, toolCalls: 1 });
    const ends = await client.bring(['sunny']);
    expect([ends.usage.prompt_tokens, ends.usage.completion_tokens]).toEqual([40, 4]);
    expect(ends.about.usage).toMatchObject({ inputTokens: 1_070, outputTokens: 507, modelCalls: 4, toolCalls: 2 });
  });

  test('without: what the whole tree used', async () => {
    const child = agentOf('child', () => ({ text: 'done', ...usage(1_000, 500) }));
    const lead = agentOf(
      'lead',
      [
        { calls: [{ name: 'child', input: { text: 'go', reason: 'r' } }], ...usage(10, 1) },
        { text: 'Done.', ...usage(40, 4) },
      ],
      { tools: [asTool(child) as ToolOffer] },
    );
    const said = await new TalkClient(talkHouse([lead]).app, 'lead', { isStream }).say('Go.');
    expect([said.usage.prompt_tokens, said.usage.completion_tokens]).toEqual([1_050, 505]);
    expect(said.about.usage).toMatchObject({ inputTokens: 1_050, outputTokens: 505, modelCalls: 3 });
  });

  test('a provider that does not say costs nobody a number that is not true', async () => {
    const agent = agentOf('lead', [{ text: 'Hm.', usage: {} }]);
    const said = await new TalkClient(talkHouse([agent]).app, 'lead', { tools: [weather], isStream }).say('Go.');
    expect([said.usage.prompt_tokens, said.about.usage.unknownUsageCalls]).toEqual([0, 1]);
  });
});
