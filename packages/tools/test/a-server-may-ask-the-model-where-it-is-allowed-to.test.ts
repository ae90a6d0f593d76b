import type { AgentEvent, JsonObject, ModelRequest } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { asking, everything, started } from './support/servers.ts';
import { walkWith } from './support/walk-with.ts';

const config = { ...started(everything), sampling: true };
const server = 'every';

/** Asked by the agent it calls the tool, as often as it has prompts; asked by the server it answers. */
function scripted(...prompts: readonly string[]) {
  let called = 0;
  return ({ tools, messages }: ModelRequest) => {
    if (tools.length === 0)
      return { text: `heard ${JSON.stringify(messages.at(-1))}`, usage: { inputTokens: 100, outputTokens: 7 } };
    const prompt = prompts[called++];
    if (prompt === undefined) return 'done';
    return { calls: [{ name: 'every__trigger-sampling-request', input: { prompt, maxTokens: 50_000 } }] };
  };
}

const sampled = (text = '') => JSON.parse(text.slice(text.indexOf('{'))) as JsonObject;

test('a server that asks gets the words of the session’s own model, on the books of the session', async () => {
  const requests: ModelRequest[] = [];
  const script = scripted('one', 'two');
  const { outcome, results, events } = await walkWith({
    server,
    config,
    script: (request) => {
      requests.push(request);
      return script(request);
    },
  });
  expect(outcome.status).toBe('completed');
  expect(sampled(results[0]?.text)).toMatchObject({
    role: 'assistant',
    model: 'scripted/model',
    stopReason: 'endTurn',
    content: { type: 'text', text: expect.stringContaining('context: one') },
  });
  expect(sampled(results[1]?.text).content).toMatchObject({ text: expect.stringContaining('context: two') });
  // What the server wishes, within our bounds; and nothing of the agent that called it.
  const [asked] = requests.filter(({ tools }) => tools.length === 0);
  expect(asked).toMatchObject({
    system: 'You are a helpful test server.',
    settings: { maxOutputTokens: 16_384, temperature: 0.7 },
  });
  expect(asked?.messages).toHaveLength(1);
  // Three turns of the agent, and two of the server's.
  expect(outcome.ledger.entries.filter(({ type }) => type === 'model')).toHaveLength(5);
  expect(outcome.ledger.byPath['tester:every.sampling']).toMatchObject({ modelCalls: 2, inputTokens: 200 });
  expect(outcome.usage).toMatchObject({ modelCalls: 5, inputTokens: 230 });
  const isStart = (event: AgentEvent) => event.type === 'session-start' && event.trace.parentId !== null;
  const ids = events.filter(isStart).map(({ trace }) => trace.selfId);
  expect(new Set(ids).size).toBe(2);
});

test('what it uses counts against the budget of the tree', async () => {
  const { outcome, results } = await walkWith({
    server,
    config,
    script: scripted('one', 'two'),
    budget: { descendants: 1 },
  });
  expect(outcome.ledger.byPath['tester:every.sampling']).toMatchObject({ modelCalls: 1 });
  expect(results[0]?.isError).toBe(false);
  expect(results[1]?.isError).toBe(true);
  expect(results[1]?.text).toContain('all the sub-agent sessions its budget allows');
});

test('a server is not told that it may when its configuration does not say so', async () => {
  const { tools } = await walkWith({ server, config: started(everything), script: ['done'] });
  expect(tools.map(({ name }) => name)).not.toContain('every__trigger-sampling-request');
});

test('a server of 2026-07-28, which asks in its result, is answered the same way', async () => {
  const { results, outcome } = await walkWith({
    server,
    config: { ...started(asking, '--modern-only'), sampling: true },
    script: ({ tools }, call) => {
      if (tools.length === 0) return { text: 'a thought', finishReason: 'length' };
      return call === 1 ? { calls: [{ name: 'every__ponder' }] } : 'done';
    },
  });
  expect(results[0]?.text).toContain('"text":"a thought"');
  expect(results[0]?.text).toContain('"stopReason":"maxTokens"');
  expect(outcome.ledger.byPath['tester:every.sampling']).toMatchObject({ modelCalls: 1 });
});
