// A conversation never outgrows its model: results are cut, replies are clamped, and the last turn comes in time.

import { type Agent, asTool, defineTool, fail, type Model, type ModelRequest } from '@ai-agent/core';
import { type Script, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

/** By the measure of the guard itself, which errs on the high side. */
const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 3.5);
const tokensIn = ({ system, messages, tools }: ModelRequest) => {
  const parts = messages.flatMap((message): readonly object[] => (message.role === 'system' ? [] : message.content));
  const said = parts.map((part) => ('text' in part ? String(part.text) : ''));
  const offered = tools.map(({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema));
  return [system, ...offered, ...said].reduce((sum, text) => sum + tokensOf(text), 0);
};

/** Does not count for us: every figure is an estimate. */
const silent = {};

const giving = (text: string) => defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => text });

/** Looks as long as it may, then says so. */
const looking: Script = (request) =>
  request.tools.length === 0
    ? { text: 'what I have', usage: silent }
    : { text: 'looking', calls: [{ name: 'look' }], usage: silent };

describe('by estimate', () => {
  test('the last turn comes while there is still room for it', async () => {
    const lead = agent('lead', looking, {
      tools: [giving('word '.repeat(600))],
      limits: { contextWindowTokens: 8_000, contextBufferTokens: 1_000, maxTurns: 100 },
      compaction: false,
    });
    const { outcome } = await walk(lead);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
    const requests = lead.model.requests;
    expect(requests.length).toBeGreaterThan(4);
    expect(JSON.stringify(requests.at(-1)?.messages.at(-1))).toContain('The limit contextWindowTokens is reached');
    for (const request of requests)
      expect(tokensIn(request) + (request.settings.maxOutputTokens ?? 0)).toBeLessThanOrEqual(8_000);
  });

  test('one result that would not fit is cut, and the model is told', async () => {
    const lead = agent('lead', looking, {
      tools: [giving('word '.repeat(20_000))],
      limits: { contextWindowTokens: 8_000, contextBufferTokens: 1_000, maxToolOutputBytes: 1_000_000 },
    });
    const { outcome } = await walk(lead);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
    const last = lead.model.requests.at(-1) as ModelRequest;
    expect(JSON.stringify(last.messages)).toContain('there is no room for the rest');
    expect(tokensIn(last)).toBeLessThanOrEqual(8_000);
  });

  test.each([
    ['letters of more than one byte', '漢字'.repeat(20_000)],
    ['letters of four', '😀'.repeat(20_000)],
  ])('%s are counted as what they are, and not split', async (_, text) => {
    const lead = agent('lead', looking, {
      tools: [giving(text)],
      limits: { contextWindowTokens: 8_000, contextBufferTokens: 1_000, maxToolOutputBytes: 1_000_000 },
    });
    await walk(lead);
    const last = lead.model.requests.at(-1) as ModelRequest;
    expect(tokensIn(last)).toBeLessThanOrEqual(8_000);
    expect(JSON.stringify(last.messages)).not.toMatch(/\\ud[89a-f]/);
  });

  test('several results of one turn share what room there is', async () => {
    const calls = Array.from({ length: 8 }, () => ({ name: 'look' }));
    const lead = agent(
      'lead',
      (request) => (request.tools.length === 0 ? { text: 'done', usage: silent } : { calls, usage: silent }),
      {
        tools: [giving('word '.repeat(2_000))],
        limits: { contextWindowTokens: 10_000, contextBufferTokens: 1_000 },
      },
    );
    const { outcome } = await walk(lead);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens' });
    expect(tokensIn(lead.model.requests.at(-1) as ModelRequest)).toBeLessThanOrEqual(10_000);
  });

  test('what failed at length is cut too, and so is what a child says', async () => {
    const child = agent('child', () => ({ text: 'word '.repeat(20_000), usage: silent }));
    const failing = defineTool({
      name: 'look',
      inputSchema: { type: 'object' },
      execute: () => fail('why '.repeat(20_000)),
    });
    for (const tool of [failing, { ...asTool(child), name: 'look', inputSchema: { type: 'object' } }]) {
      const lead = agent('lead', looking, {
        tools: [tool],
        limits: { contextWindowTokens: 2_000, contextBufferTokens: 200 },
      });
      const { outcome } = await walk(lead);
      expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
      expect(tokensIn(lead.model.requests.at(-1) as ModelRequest)).toBeLessThanOrEqual(2_000);
    }
  });
});

describe('by what the provider counted', () => {
  test('its figure replaces ours, whichever is larger', async () => {
    const counting =
      (inputTokens: number): Script =>
      (request) => ({
        ...(request.tools.length === 0 ? { text: 'end' } : { calls: [{ name: 'look' }] }),
        usage: { inputTokens, outputTokens: 10 },
      });
    const limits = { contextWindowTokens: 8_000, contextBufferTokens: 1_000, maxTurns: 5 };
    const full = agent('lead', counting(6_500), { tools: [giving('short')], limits });
    expect((await walk(full)).outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens' });
    expect(full.model.requests).toHaveLength(2);
    const empty = agent('lead', counting(20), { tools: [giving('word '.repeat(2_000))], limits });
    expect((await walk(empty)).outcome).toMatchObject({ status: 'partial', limit: 'maxTurns' });
  });
});

describe('the window', () => {
  const within = (contextWindowTokens: number, script: Script): Model & { requests: readonly ModelRequest[] } => ({
    ...scriptedModel(script),
    contextWindowTokens,
  });

  test("is the model's own before it is the agent's", async () => {
    const model = within(4_000, looking);
    const lead: Agent = {
      ...agent('lead', [], { tools: [giving('word '.repeat(500))] }),
      model,
      limits: { contextBufferTokens: 500, maxTurns: 50 },
      compaction: false,
    };
    const { outcome } = await walk(lead);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens' });
    for (const request of model.requests) expect(tokensIn(request)).toBeLessThanOrEqual(4_000);
  });

  test('is that of the first model that could be made', async () => {
    const model = within(4_000, looking);
    const lead: Agent = {
      ...agent('lead', [], {
        tools: [giving('word '.repeat(500))],
        limits: { contextBufferTokens: 500, maxTurns: 50 },
        compaction: false,
      }),
      model: ['none/such', model],
    };
    expect((await walk(lead)).outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens' });
    for (const request of model.requests) expect(tokensIn(request)).toBeLessThanOrEqual(4_000);
  });

  test('bounds what is asked for, for each model of the list by its own', async () => {
    const small = within(2_000, () => 'from the small one');
    const large = within(20_000, () => ({ fail: { code: 'model-auth' } }));
    const lead: Agent = { ...agent('lead', []), model: [large, small], settings: { maxOutputTokens: 16_384 } };
    const { outcome } = await walk(lead, 'word '.repeat(400));
    expect(outcome).toMatchObject({ status: 'completed', text: 'from the small one' });
    expect(large.requests[0]?.settings.maxOutputTokens).toBe(16_384);
    const asked = small.requests[0]?.settings.maxOutputTokens ?? 0;
    expect(asked).toBeGreaterThan(256);
    expect(asked + tokensOf('word '.repeat(400))).toBeLessThanOrEqual(2_000);
  });

  test('may be the smallest there is: a prompt that fits is answered, and a tool can be used', async () => {
    const limits = { contextWindowTokens: 1_024, contextBufferTokens: 0 };
    const lead = agent('lead', ['hello'], { limits });
    expect((await walk(lead)).outcome).toMatchObject({ status: 'completed', text: 'hello' });
    const using = agent(
      'lead',
      [
        { calls: [{ name: 'look' }], usage: silent },
        { text: 'seen', usage: silent },
      ],
      {
        tools: [giving('a little')],
        limits,
      },
    );
    expect((await walk(using)).outcome).toMatchObject({ status: 'completed', text: 'seen' });
    expect(using.model.requests[0]?.settings.maxOutputTokens).toBeLessThan(1_024);
  });

  test('a prompt that is too long is sent as it is: its provider says best what is wrong', async () => {
    const lead = agent('lead', ['ok'], { limits: { contextWindowTokens: 1_024, contextBufferTokens: 0 } });
    await walk(lead, 'word '.repeat(5_000));
    expect(lead.model.requests[0]?.settings.maxOutputTokens).toBe(256);
  });
});
