// Sessions of one process, over real sockets, on the real clock.

import { type Agent, AIAgentSession, type AIAgentSessionConfig, type Clock, type ModelResolver } from '@ai-agent/core';
import { countingIds } from '@ai-agent/core/testing';
import { createModels, type ModelsOptions, type ProviderConfig } from '@ai-agent/models';
import { onTestFinished } from 'vitest';

export const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(durationMs, wake) {
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};

/** The models of a process with these providers. Closed when the test ends. */
export function modelsOf(
  providers: Readonly<Record<string, ProviderConfig>>,
  options: Omit<ModelsOptions, 'providers'> = {},
): ModelResolver {
  const models = createModels({ providers, now: Date.now, ...options });
  onTestFinished(() => models.close());
  return models.resolve;
}

/** A chat provider at this address. */
export function providerAt(baseUrl: string, more: Partial<ProviderConfig> = {}): ProviderConfig {
  return { type: 'openai-compatible', baseUrl, apiKey: 'test-key-0123456789', ...more };
}

const ids = countingIds('session-');

type More = Partial<Omit<AIAgentSessionConfig, 'agent'>> & { readonly agent?: Partial<Agent> };

/** One session, one prompt. */
export function session(models: ModelResolver, model: Agent['model'], prompt = 'go', more: More = {}) {
  const { agent, ...config } = more;
  return new AIAgentSession({
    ports: { clock: realClock, ids, models },
    ...config,
    agent: { name: 'lead', instructions: 'You answer.', ...agent, model },
  }).run(prompt);
}

export function crowd(count: number, models: ModelResolver, model: Agent['model'], more: More = {}) {
  return Array.from({ length: count }, (_, i) => session(models, model, `go ${i}`, more));
}

export const sleep = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));
