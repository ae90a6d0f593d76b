// An agent whose model is an agent that leads back to it: the run fails with agent-cycle after one request per agent, and nothing is retried.

import { type Agent, asTool, createModels } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ownServer } from './support/own-server.ts';

const types = ['openai-compatible', 'openai', 'anthropic'] as const;
const ways = types.flatMap((type) => [true, false].map((stream) => [type, stream] as const));

/** Agents by name, each with the agent that is its model. */
const serving = (asked: Readonly<Record<string, string>>, type: (typeof types)[number], stream: boolean) =>
  ownServer((url) => {
    const baseUrl = `${url}/v1`;
    const models = createModels({ providers: { us: { type, baseUrl, apiKey: 'none' } } });
    onTestFinished(() => models.close());
    return Object.entries(asked).map(([name, model]) => ({
      name,
      description: 'asks another',
      instructions: 'Ask.',
      model: { provider: 'us', model, open: (options) => models.resolve(`us/${model}`, options) },
      settings: { stream },
    }));
  });

async function failureOf(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(8_000) });
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { httpStatus: response.status, ...error };
}

const cycle = { httpStatus: 409, code: 'agent-cycle', class: 'tool', retryable: false };

test.each(ways)('itself: %s, streamed %s', async (type, stream) => {
  const { url, ended } = await serving({ a: 'a' }, type, stream);
  const message = expect.stringMatching(/a → a\. It would wait for itself\.$/);
  expect(await failureOf(`${url}/v1/a?q=go`)).toMatchObject({ ...cycle, message });
  expect(ended.map(({ head, outcome }) => [head.agent, outcome?.status])).toEqual([['a', 'failed']]);
  expect(ended[0]?.outcome?.ledger.entries.map(({ type }) => type)).toEqual(['model']);
});

test.each(ways)('by way of another: %s, streamed %s', async (type, stream) => {
  const { url, ended } = await serving({ a: 'b', b: 'a' }, type, stream);
  expect(await failureOf(`${url}/v1/a?q=go`)).toMatchObject({
    ...cycle,
    message: expect.stringContaining('a → b → a'),
  });
  expect(ended.map(({ head }) => head.agent)).toEqual(['b', 'a']);
});

test('too deep a chain of models is no trouble of a provider either', async () => {
  const { url } = await serving({ a: 'b', b: 'c', c: 'd', d: 'e', e: 'e' }, 'openai-compatible', false);
  expect(await failureOf(`${url}/v1/a?q=go`)).toMatchObject({ code: 'depth-limit', retryable: false });
});

test('through a sub-agent: the caller reads why', async () => {
  const { url, ended } = await ownServer((at) => {
    const models = createModels({ providers: { us: { type: 'openai-compatible', baseUrl: `${at}/v1` } } });
    onTestFinished(() => models.close());
    const helper: Agent = {
      name: 'helper',
      description: 'helps',
      instructions: 'Help.',
      model: { provider: 'us', model: 'lead', open: (options) => models.resolve('us/lead', options) },
    };
    const script = scriptedModel(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === 'tool'
        ? last.content.map(({ text }) => text).join()
        : { calls: [{ name: 'helper', input: { text: 'go', reason: 'r' } }] };
    });
    return [{ name: 'lead', instructions: 'Lead.', model: script, tools: [asTool(helper)] }];
  });
  const text = await (await fetch(`${url}/v1/lead?q=go`, { signal: AbortSignal.timeout(8_000) })).text();
  expect(text).toContain('lead → helper → lead');
  const entries = ended[0]?.outcome?.ledger.entries.filter(({ trace }) => trace.agentName === 'helper');
  expect(entries).toMatchObject([{ status: 'failed', failureClass: 'tool' }]);
});
