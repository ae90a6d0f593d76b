// A model that bills every byte it receives: no budget is exceeded by more than 2 % or 64 tokens, whatever the conversation.

import {
  type Agent,
  asTool,
  defineTool,
  type Message,
  type Model,
  type ModelReply,
  type ModelRequest,
} from '@ai-agent/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walk } from './support/walk.ts';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

interface Billing {
  /** Bytes per token. */
  readonly bytes: number;
  readonly price: { readonly input: number; readonly output: number };
}

/** Calls every offered tool in each turn, and says as much as it may when there is none. */
function billingModel({ bytes, price }: Billing, { words, query }: World): Model {
  const tokens = (value: unknown) => Math.ceil(bytesOf(value) / bytes);
  const call = async (request: ModelRequest): Promise<ModelReply> => {
    const { system, messages, tools, withheld, output, settings } = request;
    const most = settings.maxOutputTokens ?? 1_000;
    const calls = tools.map(({ name }, i) => ({
      type: 'tool-call' as const,
      id: `call_${messages.length}_${i}_${'x'.repeat(20)}`,
      name,
      input: JSON.stringify({ text: query, reason: 'because' }),
    }));
    const isCalling = calls.length > 0 && tokens(calls) <= most;
    const said = 'word '.repeat(words).slice(0, Math.max(1, Math.floor((most - 4) * bytes) - 50));
    const text = output.format === 'json' ? JSON.stringify({ said }) : said;
    const content = isCalling ? calls : [{ type: 'text' as const, text }];
    const usage = {
      inputTokens: tokens({ system, messages, tools, withheld, output }),
      outputTokens: Math.min(most, tokens(content)),
    };
    return {
      message: { role: 'assistant', content } as Extract<Message, { role: 'assistant' }>,
      finishReason: isCalling ? 'tool-calls' : 'stop',
      usage,
      costUsd: (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6,
    };
  };
  return { provider: 'bytes', model: 'm', price, call };
}

interface World {
  readonly billing: Billing;
  readonly tools: number;
  readonly describedBy: number;
  readonly resultBytes: number;
  readonly isQuoted: boolean;
  readonly system: number;
  readonly words: number;
  readonly query: string;
  readonly isNested: boolean;
  /** Messages of an earlier conversation. */
  readonly history: number;
  /** In parts of what the first request takes. */
  readonly budget: number;
  readonly isMoney: boolean;
  /** A JSON report: none, by the contract of the agent, or asked for by its caller. */
  readonly json: 'none' | 'own' | 'asked';
  /** Size of the schema of a JSON report. */
  readonly schemaBytes: number;
}

const worlds: fc.Arbitrary<World> = fc.record({
  billing: fc.record({
    bytes: fc.constantFrom(1, 2, 3, 3.5, 4),
    price: fc.record({ input: fc.constantFrom(0.5, 3), output: fc.constantFrom(2, 15) }),
  }),
  tools: fc.integer({ min: 1, max: 4 }),
  describedBy: fc.integer({ min: 0, max: 1_500 }),
  resultBytes: fc.integer({ min: 0, max: 12_000 }),
  isQuoted: fc.boolean(),
  system: fc.integer({ min: 10, max: 3_000 }),
  words: fc.integer({ min: 1, max: 2_000 }),
  query: fc.string({ maxLength: 300 }),
  isNested: fc.boolean(),
  history: fc.nat({ max: 6 }),
  budget: fc.double({ min: 2, max: 40, noNaN: true }),
  isMoney: fc.boolean(),
  json: fc.constantFrom('none', 'own', 'asked'),
  schemaBytes: fc.integer({ min: 0, max: 9_000 }),
});

function talkOf(length: number): readonly Message[] {
  const content = [{ type: 'text' as const, text: 'An earlier word. '.repeat(30) }];
  return Array.from({ length }, (_, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }));
}

/** The bill of all model calls, and the limit that was set. */
async function spend(world: World) {
  const { billing, tools, describedBy, resultBytes, isQuoted, system, isNested, isMoney, history } = world;
  const { json, schemaBytes } = world;
  const schema = { type: 'object', description: 'r'.repeat(schemaBytes) } as const;
  const output = { format: 'json', schema } as const;
  const line = isQuoted ? '{"a":"\\n"}' : 'plain text ';
  const all = Array.from({ length: tools }, (_, i) =>
    defineTool({
      name: `look_${i}`,
      description: 'd'.repeat(describedBy),
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string', description: 'q'.repeat(describedBy / 3) } },
      },
      execute: () => line.repeat(Math.ceil(resultBytes / line.length)),
    }),
  );
  const model = billingModel(billing, world);
  const agent = { instructions: 's'.repeat(system), model, limits: { maxTurns: 8 } };
  const child: Agent = { ...agent, name: 'child', description: 'c', tools: all };
  const lead: Agent = {
    ...{ ...agent, name: 'lead', tools: isNested ? [asTool(child)] : all },
    ...(json === 'own' ? { output } : {}),
  };
  const contract = json === 'own' ? 2 * schemaBytes : 0;
  const offered = tools * (describedBy * 1.34 + 150);
  const first = Math.ceil((system + contract + offered + history * 600 + 400) / billing.bytes);
  const limit = Math.ceil(first * world.budget);
  const budget = isMoney ? { costUsd: (limit * billing.price.input) / 1e6 } : { tokens: limit };
  const { outcome } = await walk({ ...lead, budget }, 'go', {
    history: talkOf(history),
    ...(json === 'asked' ? { output } : {}),
  });
  const { inputTokens, outputTokens, costUsd } = outcome.usage;
  return {
    outcome,
    spent: isMoney ? costUsd : inputTokens + outputTokens,
    limit: isMoney ? (budget.costUsd ?? 0) : limit,
  };
}

/** The first request is the last one, its estimate is half of what is billed, and the reply is as long as allowed. */
const longLastWord: World = {
  billing: { bytes: 2, price: { input: 0.5, output: 2 } },
  ...{ tools: 1, describedBy: 0, resultBytes: 0, isQuoted: false, system: 10, words: 174, query: '' },
  ...{ isNested: true, history: 0, budget: 3, isMoney: false },
  ...{ json: 'none', schemaBytes: 0 },
};

test('by more than 2 % or 64 tokens', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { spent, limit } = await spend(world);
      const slack = world.isMoney ? (64 * world.billing.price.output) / 1e6 : 64;
      expect(spent).toBeLessThanOrEqual(limit + Math.max(limit * 0.02, slack));
    }),
    {
      numRuns: Number(process.env.RUNS ?? 300),
      examples: [[longLastWord], [{ ...longLastWord, history: 4, budget: 1.7, words: 2_000 }]],
      ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}),
    },
  );
});
