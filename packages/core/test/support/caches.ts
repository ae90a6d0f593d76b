// Sessions that share a cache, as two runs of one process do, and what it came to hold.

import { type Agent, type AIAgentSessionConfig, MemoryCache, type Outcome, type ResultCache } from '@ai-agent/core';
import { FakeClock, fakePorts, type ScriptedModel } from '@ai-agent/core/testing';
import { type agent, inItsTime, nextTick, start } from './walk.ts';

export const hour = 3_600_000;

type Asking = Partial<Omit<AIAgentSessionConfig, 'agent'>> & { readonly prompt?: string };

export class Shared {
  readonly clock = new FakeClock();
  readonly puts: { readonly key: string; readonly value: string; readonly ttlMs: number }[] = [];
  readonly cache: ResultCache;

  constructor(cache?: ResultCache) {
    const memory = cache ?? new MemoryCache(this.clock);
    this.cache = {
      get: (key) => memory.get(key),
      put: (key, value, ttlMs) => {
        this.puts.push({ key, value, ttlMs });
        return memory.put(key, value, ttlMs);
      },
    };
  }

  get ports() {
    return fakePorts({ clock: this.clock, cache: this.cache });
  }

  async ask(lead: Agent, { prompt = 'go', ...options }: Asking = {}): Promise<Outcome> {
    return (await this.watch(lead, { prompt, ...options })).outcome;
  }

  async watch(lead: Agent, { prompt = 'go', ...options }: Asking = {}) {
    const { outcome, events } = start(lead, prompt, { ports: this.ports, ...options });
    const ended = await inItsTime(this.clock, outcome);
    await nextTick();
    return { outcome: ended, events };
  }
}

/** Whether each was an earlier answer, given again. */
export const isCached = (outcome: Outcome) => outcome.status === 'completed' && outcome.isCached === true;

export const requestsOf = ({ model }: ReturnType<typeof agent>) => (model as ScriptedModel).requests.length;
