// Looks at all that a run shows, and at what it keeps: with secrets in its variables, to see where they turn up.

import {
  type Agent,
  type AgentEvent,
  defineTool,
  inProcess,
  journaled,
  MemoryJournal,
  MemoryOutputs,
  MemoryPauses,
  type Outcome,
  toLogRecord,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, strict } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import { agent, inItsTime, nextTick, start, type walk } from './walk.ts';

export const canary = 'canary/7f3a+"quoted"=x';
export const plainCanary = 'canary-plain-0123456789';
const env = { MY_API_KEY: canary, authToken: plainCanary };
/** Everything that anybody outside gets to see, and what was kept and told on the way. */
export interface Seen {
  readonly shown: string;
  readonly recorded: string;
  readonly outcome: Outcome;
  readonly events: readonly AgentEvent[];
}

export async function look(lead: Agent, prompt = 'go', options: Parameters<typeof walk>[2] = {}): Promise<Seen> {
  const journal = new MemoryJournal();
  const [outputs, pauses] = [new Spied(new MemoryOutputs()), new Spied(new MemoryPauses())];
  const clock = new FakeClock();
  const ports = fakePorts({ clock, outputs: outputs.port, pauses: pauses.port });
  const runtime = strict(journaled(inProcess, journal), { nextTick });
  const { outcome: ending, events } = start(lead, prompt, { envOverlay: env, runtime, ports, ...options });
  const outcome = await inItsTime(clock, ending);
  const { ledger, tree, conversations } = outcome;
  const logs = events.flatMap((event) => (event.kind === 'fact' ? [toLogRecord(event)] : []));
  const shown = JSON.stringify([outcome, ledger, tree, conversations, logs, events]);
  const recorded = JSON.stringify([[...journal.entries], outputs.puts, pauses.puts]);
  return { shown, recorded, outcome, events };
}

class Spied<T extends { put(...args: never[]): unknown }> {
  readonly puts: unknown[] = [];
  readonly port: T;

  constructor(store: T) {
    this.port = new Proxy(store, {
      get: (target, name) => {
        const method = (target as Record<string | symbol, unknown>)[name];
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) => {
          if (name === 'put') this.puts.push(args);
          return method.apply(target, args);
        };
      },
    });
  }
}

export const forms = (secret: string) => {
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret)];
};

export function expectHidden({ shown, recorded }: Seen, secrets: readonly string[] = [canary, plainCanary]): void {
  expect(shown).toContain('***');
  for (const form of secrets.flatMap(forms)) {
    expect(shown).not.toContain(form);
    expect(recorded).not.toContain(form);
  }
}

export const says = (text: string) =>
  defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => text });
export const calls = (input: unknown = {}): Script => [{ calls: [{ name: 'look', input }] }, 'done'];

export function withTool(execute: Parameters<typeof defineTool>[0]['execute'], script: Script = calls()): Agent {
  return agent('lead', script, { tools: [defineTool({ name: 'look', inputSchema: { type: 'object' }, execute })] });
}
