// The promise: where a model can count tokens, its count is what is reckoned with; and it is a number in the records, so that a
// replay needs nobody to count.

import {
  type Agent,
  defineTool,
  inProcess,
  journaled,
  MemoryJournal,
  type Middleware,
  type Model,
  type ModelRequest,
} from '@ai-agent/core';
import { type Script, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { walk } from './support/walk.ts';

interface Counting {
  readonly model: Model & { readonly requests: readonly ModelRequest[] };
  readonly counted: string[];
}

const counting = (count: ((text: string) => number) | undefined, script: Script = ['ok']): Counting => {
  const counted: string[] = [];
  const countTokens = (text: string) => {
    counted.push(text);
    return count?.(text) ?? 0;
  };
  return { model: { ...scriptedModel(script), ...(count ? { countTokens } : {}) }, counted };
};

/** What the first request was taken to be. */
const estimateOf = async (
  model: Model,
  { instructions = 'You lead.', prompt = 'go', tools = [] }: Partial<Agent> & { prompt?: string } = {},
) => {
  const seen: { inputTokens: number; perToken: number | undefined }[] = [];
  const watching: Middleware = {
    name: 'watching',
    perform: {
      model(work, next) {
        seen.push({ inputTokens: work.inputTokens, perToken: work.choice.bytesPerToken });
        return next(work);
      },
    },
  };
  const { outcome } = await walk({ name: 'lead', instructions, model, tools, middleware: [watching] }, prompt);
  return { ...seen[0], outcome };
};

const long = 'word '.repeat(1_000);
const perByte = (bytes: number) => (text: string) => Buffer.byteLength(text) / bytes;

test('without anybody who counts nothing changes', async () => {
  const { inputTokens, perToken } = await estimateOf(counting(undefined).model, {
    instructions: long,
    prompt: 'x'.repeat(35),
  });
  expect(inputTokens).toBe(Math.ceil(long.length / 3.5) + 8 + 10);
  expect(perToken).toBeUndefined();
});

test('the prompt is counted, and what comes after it is estimated by the same measure', async () => {
  const { inputTokens, perToken } = await estimateOf(counting(perByte(2)).model, {
    instructions: long,
    prompt: 'x'.repeat(400),
  });
  expect(perToken).toBeCloseTo(2, 1);
  expect(inputTokens).toBe(2_500 + 8 + 200);
});

test('tools too', async () => {
  const tools = [defineTool({ name: 'look', description: long, inputSchema: { type: 'object' }, execute: () => 'x' })];
  const [few, many] = [
    await estimateOf(counting(perByte(5)).model, { instructions: long, tools }),
    await estimateOf(counting(perByte(1)).model, { instructions: long, tools }),
  ];
  expect(many.inputTokens).toBeGreaterThan(9_500);
  expect(few.inputTokens).toBeLessThan(2_300);
});

test('a short prompt says little: a usual text is measured instead', async () => {
  const { model, counted } = counting((text) => (text.startsWith('You lead') ? 1 : perByte(3)(text)));
  const { perToken } = await estimateOf(model);
  expect(perToken).toBeCloseTo(3, 1);
  expect(counted.some((text) => text.length > 500)).toBe(true);
});

test('a prompt that is easier than most makes nothing cheaper', async () => {
  const { model } = counting((text) => (text.startsWith('word') ? perByte(20)(text) : perByte(3)(text)));
  const { perToken } = await estimateOf(model, { instructions: long });
  expect(perToken).toBeCloseTo(3, 1);
});

test('of a huge prompt some pieces are counted, and stand for all', async () => {
  const { model, counted } = counting(perByte(2));
  const { inputTokens } = await estimateOf(model, { instructions: 'word '.repeat(1_000_000) });
  expect(counted.join('').length).toBeLessThan(40_000);
  expect(inputTokens).toBeGreaterThan(2_450_000);
  expect(inputTokens).toBeLessThan(2_550_000);
});

test('the same prompt is counted once, however many sessions have it', async () => {
  const { model, counted } = counting(perByte(2), () => 'ok');
  await estimateOf(model, { instructions: long });
  const once = counted.length;
  await estimateOf(model, { instructions: long });
  expect(counted).toHaveLength(once);
  await estimateOf(model, { instructions: `${long}!` });
  expect(counted.length).toBeGreaterThan(once);
});

test.each<[string, (text: string) => number]>([
  ['no number', () => Number.NaN],
  ['nothing', () => 0],
  ['less than nothing', () => -5],
  ['no end', () => Number.POSITIVE_INFINITY],
  ['a text', () => 'many' as never],
  ['an exception', () => JSON.parse('{')],
])('%s is no count: the estimate has to do', async (_, count) => {
  const { inputTokens, perToken, outcome } = await estimateOf(counting(count).model, { instructions: long });
  expect(outcome.status).toBe('completed');
  expect(perToken).toBeUndefined();
  expect(inputTokens).toBe(Math.ceil(long.length / 3.5) + 8 + 1);
});

test('of a list, the one that makes most tokens of a text counts', async () => {
  const [coarse, fine] = [counting(perByte(5)).model, counting(perByte(2)).model];
  const { inputTokens } = await estimateOf([coarse, fine] as never, { instructions: long, prompt: 'x'.repeat(400) });
  expect(inputTokens).toBe(2_500 + 8 + 200);
});

describe('the guard', () => {
  const looking: Script = ({ tools }) =>
    tools.length === 0 ? { text: 'what I have', usage: {} } : { calls: [{ name: 'look' }], usage: {} };
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'word '.repeat(200) });
  const lead = (count: (text: string) => number) => {
    const { model, counted } = counting(count, looking);
    const limits = { contextWindowTokens: 8_000, contextBufferTokens: 1_000, maxTurns: 100 };
    return {
      agent: { name: 'lead', instructions: long, model, tools: [look], limits, compaction: false },
      model,
      counted,
    };
  };

  test('reckons with it: more tokens, fewer turns', async () => {
    const [coarse, fine] = [lead(perByte(4)), lead(perByte(2))];
    for (const { agent } of [coarse, fine])
      expect((await walk(agent)).outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens' });
    expect(fine.model.requests.length).toBeLessThan(coarse.model.requests.length - 3);
  });

  test('decides the same on a replay, when nobody can count', async () => {
    const journal = new MemoryJournal();
    const runtime = journaled(inProcess, journal);
    const first = lead(perByte(2));
    const told = await walk(first.agent, 'go', { runtime });
    const again = lead(() => {
      throw new TypeError('nobody is here');
    });
    const replayed = await walk(again.agent, 'go', { runtime });
    expect(replayed.outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
    expect(replayed.outcome.usage.modelCalls).toBe(told.outcome.usage.modelCalls);
    expect(again.model.requests).toHaveLength(0);
    expect(again.counted).toHaveLength(0);
  });
});
