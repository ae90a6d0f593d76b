// What most of these tests say to a model, and what they expect back.

import {
  type AgentError,
  isAgentError,
  type Model,
  type ModelContext,
  type ModelRequest,
  userMessage,
} from '@ai-agent/core';
import { createTransport, type OpenAICompatibleOptions, openaiCompatible } from '@ai-agent/models';
import { expect, onTestFinished } from 'vitest';

export function requestOf(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'You answer.',
    messages: [userMessage('Say something.')],
    tools: [],
    output: { format: 'text' },
    settings: {},
    ...fields,
  };
}

export function contextOf(fields: Partial<ModelContext> = {}): ModelContext {
  return { signal: new AbortController().signal, ...fields };
}

/** Both ways to ask: whole, and streamed to a listener. */
export const ways = [
  ['whole', () => contextOf()],
  ['streamed', () => contextOf({ onDelta: () => {} })],
] as const;

/** A model of a local server, over a transport of its own. */
export async function modelAt(baseUrl: string, options: Partial<OpenAICompatibleOptions> = {}): Promise<Model> {
  const transport = createTransport();
  onTestFinished(() => transport.close());
  return openaiCompatible({ name: 'local', baseUrl, transport, ...options })('a-model');
}

export async function failureOf(work: Promise<unknown>): Promise<AgentError> {
  const error = await work.then(
    (value) => expect.fail(`It answered: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!isAgentError(error)) throw error;
  return error;
}

/** How a configuration names a variable. */
export function variable(name: string): string {
  return ['$', '{', name, '}'].join('');
}
