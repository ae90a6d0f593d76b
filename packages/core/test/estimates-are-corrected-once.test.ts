// Reservations follow the count of the provider: in later turns, in a summary of the conversation and after it, and in sub-agents that start later.

import { type Agent, asTool, defaultTexts, defineTool, type Model, type ModelRequest, type Need } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { TreeBudget } from '../src/budget/tree-budget.ts';
import { walk } from './support/walk.ts';

const billOf = ({ system, messages, tools, withheld, output }: ModelRequest) =>
  Math.ceil(Buffer.byteLength(JSON.stringify({ system, messages, tools, withheld, output })) / 2);

type Content = Awaited<ReturnType<Model['call']>>['message']['content'];

/** Bills two bytes as a token; our estimates begin with 3.5. */
function billing(bills: number[], answer: (request: ModelRequest) => Content): Model {
  return {
    provider: 'bytes',
    model: 'm',
    call: async (request) => {
      const inputTokens = billOf(request);
      bills.push(inputTokens);
      const content = answer(request);
      const hasCalls = content.some(({ type }) => type === 'tool-call');
      return {
        message: { role: 'assistant', content },
        finishReason: hasCalls ? 'tool-calls' : 'stop',
        usage: { inputTokens, outputTokens: Math.ceil(JSON.stringify(content).length / 2) },
      };
    },
  };
}

class Observed extends TreeBudget {
  readonly needs: Need[] = [];

  override reserve(...asked: Parameters<TreeBudget['reserve']>) {
    this.needs.push(asked[0]);
    return super.reserve(...asked);
  }
}

const say = (text: string): Content => [{ type: 'text', text }];
const call = (id: string, name: string, input: object): Content => [
  { type: 'tool-call', id, name, input: JSON.stringify(input) },
];

test('no reservation after the first is below its bill, or far above it', async () => {
  const clock = new FakeClock();
  const budget = new Observed(clock);
  const bills: number[] = [];
  let turn = 0;
  const child: Agent = {
    ...{ name: 'child', description: 'helps', instructions: 's'.repeat(2_000) },
    model: billing(bills, () => say('ok')),
  };
  const lead: Agent = {
    ...{ name: 'lead', instructions: 's'.repeat(400) },
    model: billing(bills, ({ system }) => {
      if (system === defaultTexts.sumUp) return say('A short summary.');
      turn++;
      if (turn <= 5) return call(`c${turn}`, 'look', {});
      return turn === 6 ? call('c6', 'agent__child', { reason: 'r', text: 'go' }) : say('done');
    }),
    tools: [
      defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'word '.repeat(600) }),
      asTool(child),
    ],
    budget: { tokens: 1_000_000 },
    limits: { contextWindowTokens: 9_000, contextBufferTokens: 1_000, maxTurns: 20 },
    settings: { maxOutputTokens: 1_000 },
  };
  const { outcome } = await walk(lead, 'go', { ports: { ...fakePorts({ clock }), budget } });
  expect(outcome.status).toBe('completed');
  const calls = budget.needs.map(({ key, inputTokens }, i) => ({ key, reserved: inputTokens, bill: bills[i] ?? 0 }));
  expect(calls.some(({ key }) => key.includes('.summary.'))).toBe(true);
  expect(calls).toHaveLength(bills.length);
  for (const { reserved, bill } of calls.slice(1)) {
    expect(reserved).toBeGreaterThanOrEqual(bill);
    expect(reserved).toBeLessThan(bill * 1.1 + 64);
  }
});

test('tokens that a provider adds for tools are no sign of how it counts a text', async () => {
  const ask = async (toolPromptTokens: number) => {
    const reply = (content: Content, request: ModelRequest) => ({
      message: { role: 'assistant' as const, content },
      finishReason: content.some(({ type }) => type === 'tool-call') ? ('tool-calls' as const) : ('stop' as const),
      usage: { inputTokens: 350 + Math.ceil(billOf(request) / 2), outputTokens: 30 },
    });
    const model: Model = {
      ...{ provider: 'p', model: 'm', toolPromptTokens },
      call: async (request) => reply(request.messages.length === 1 ? call('c1', 'look', {}) : say('answer'), request),
    };
    const look = defineTool({
      name: 'look',
      inputSchema: { type: 'object' },
      execute: () => 'plain text '.repeat(1_000),
    });
    const lead: Agent = { name: 'lead', instructions: 'Look.', model, tools: [look], budget: { tokens: 20_000 } };
    return (await walk(lead)).outcome;
  };
  expect(await ask(0)).toMatchObject({ status: 'partial', limit: 'tokens' });
  expect(await ask(350)).toMatchObject({ status: 'completed', text: 'answer' });
});
