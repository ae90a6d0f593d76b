// Conversations that outgrow their window, models that sum up when they are asked to, and what every provider wants of an order.

import { type Agent, defaultTexts, defineTool, type Message, type ModelRequest, tokensOf } from '@ai-agent/core';
import type { Script, Step } from '@ai-agent/core/testing';
import { expect } from 'vitest';

/** Does not count for us: every figure is an estimate. */
export const silent = {};

export const window = { contextWindowTokens: 8_000, contextBufferTokens: 1_000 };

export const isSummary = ({ system }: ModelRequest) => system === defaultTexts.sumUp;

/** The script, and summaries beside it, each with its number. */
export function summing(script: Script, summary: (count: number, request: ModelRequest) => Step | string): Script {
  let [turns, summaries] = [0, 0];
  return (request) => {
    if (isSummary(request)) return summary(++summaries, request);
    turns++;
    return typeof script === 'function' ? script(request, turns) : (script[turns - 1] as Step | string);
  };
}

/** Looks so many times, then answers; a last turn without tools is one too. */
export function lookingFor(times: number): Script {
  return ({ tools }, turn) =>
    turn > times || tools.length === 0
      ? { text: tools.length === 0 ? 'what I have' : 'all of it', usage: silent }
      : { text: `look ${turn}`, calls: [{ name: 'look' }], usage: silent };
}

/** Gives a long result, each of its own. */
export const looks = (words = 600) => {
  let count = 0;
  return defineTool({
    name: 'look',
    inputSchema: { type: 'object' },
    execute: () => `result ${++count}: ${'word '.repeat(words)}`,
  });
};

export const say = (role: 'user' | 'assistant', text: string): Message => ({ role, content: [{ type: 'text', text }] });

/** Questions and answers, each answer of so many words. */
export const talk = (rounds: number, words: number): readonly Message[] =>
  Array.from({ length: rounds }, (_, i) => [
    say('user', `question ${i + 1}`),
    say('assistant', `answer ${i + 1}: ${'word '.repeat(words)}`),
  ]).flat();

/** By the measure of the guard itself, which errs on the high side. */
export function tokensIn({ system, messages, tools }: ModelRequest): number {
  const parts = messages.flatMap((message): readonly object[] => (message.role === 'system' ? [] : message.content));
  const said = parts.map((part) => ('text' in part ? String(part.text) : 'input' in part ? String(part.input) : ''));
  const offered = tools.map(({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema));
  return [system, ...offered, ...said].reduce((sum, text) => sum + tokensOf(text), 0);
}

/** Begins with the user; the results of all calls of a message follow it at once; the model does not speak twice. */
export function expectOrder(messages: readonly Message[]): void {
  expect(messages[0]?.role).toBe('user');
  for (const [i, message] of messages.entries()) {
    const next = messages[i + 1];
    const calls = message.role === 'assistant' ? message.content.filter(({ type }) => type === 'tool-call') : [];
    const ids = calls.map((part) => ('id' in part ? part.id : ''));
    if (ids.length > 0) expect(next?.role === 'tool' ? next.content.map(({ id }) => id) : next?.role).toEqual(ids);
    if (message.role === 'tool') expect(messages[i - 1]?.role).toBe('assistant');
    if (message.role === 'assistant') expect(next?.role).not.toBe('assistant');
  }
}

/** What was asked of its models, turns and summaries apart. */
export function askedOf({
  model,
}: {
  readonly model: Agent['model'] & { readonly requests: readonly ModelRequest[] };
}) {
  const { requests } = model;
  return { turns: requests.filter((one) => !isSummary(one)), summaries: requests.filter(isSummary), all: requests };
}
