// A server with the page that was built, on a real port: the agents are code, so that a test says when they do what.

import {
  type Agent,
  AgentError,
  type AgentEvent,
  type Clock,
  type Message,
  type Model,
  type ModelReply,
  type SessionStore,
} from '@ai-agent/core';
import { createApp, Hall, type KeySettings, Keys, listen, rest, type ServedAgent, site } from '@ai-agent/server';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { defaultPorts } from '../../../cli/src/platform.ts';
import { findWebFiles } from '../../../cli/src/web-files.ts';

export interface PageServer {
  readonly url: string;
  readonly hall: Hall;
  readonly port: number;
  stop(): Promise<void>;
}

export interface PageServerOptions {
  readonly keys?: Readonly<Record<string, KeySettings>>;
  readonly store?: SessionStore;
  /** @default the clock of the system */
  readonly clock?: Clock;
  /** The path of somebody else that all of it is below. @default none */
  readonly below?: string;
  /** @default any that is free, and stays so for who stops it and serves there again */
  readonly port?: number;
}

export async function servePage(
  agents: readonly (Agent | ServedAgent)[],
  { keys, store, clock, below, port }: PageServerOptions = {},
): Promise<PageServer> {
  const files = findWebFiles();
  if (!files) throw new Error('The page is not built: npm run build.');
  const served = agents.map((one) => ('agent' in one ? one : { name: one.name, agent: one }));
  const ports = { ...defaultPorts(), ...(clock ? { clock } : {}) };
  const hall = new Hall({ agents: () => served, ports, ...(store ? { store } : {}) });
  const app = createApp(hall, [site(files), rest()], keys ? { keys: new Keys(keys, ports.clock) } : {});
  const mounted = below === undefined ? app : new Hono().mount(below, app.fetch);
  const listening = await listenOn(mounted, port);
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    hall.cancelAll();
    await hall.stop(0);
    await listening.close(0);
  };
  onTestFinished(stop);
  return { url: listening.url, port: listening.port, hall, stop };
}

async function listenOn(app: Parameters<typeof listen>[0], port: number | undefined): ReturnType<typeof listen> {
  for (let tries = 0; ; tries++) {
    try {
      return await listen(app, { host: '127.0.0.1', port: port ?? steadyPort(), onBug: () => {} });
    } catch (error) {
      if (tries === 50) throw error;
      // Whoever has the one that is wanted, in another test or in another run of all tests, goes soon.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Below those that systems give to connections and to whoever wants any: nobody takes it between two servers. */
function steadyPort(): number {
  return 20_000 + Math.floor(Math.random() * 12_000);
}

export type { AgentEvent };

/** A model whose words a test gives it, piece by piece, as it wants them to arrive. */
export class TypingModel implements Model {
  readonly provider = 'test';
  readonly model = 'typing';
  readonly #calls: Typing[] = [];
  readonly #waiting: ((typing: Typing) => void)[] = [];

  /** The next call of it, when it comes. */
  async next(): Promise<Typing> {
    return this.#calls.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  call({ messages }: Parameters<Model['call']>[0], context: Parameters<Model['call']>[1]): Promise<ModelReply> {
    const typing = new Typing(messages, context);
    const waiting = this.#waiting.shift();
    if (waiting) waiting(typing);
    else this.#calls.push(typing);
    return typing.reply;
  }
}

/** One reply while it is written. */
export class Typing {
  /** What it was asked with. */
  readonly messages: readonly Message[];
  readonly reply: Promise<ModelReply>;
  readonly #context: Parameters<Model['call']>[1];
  #resolve: (reply: ModelReply) => void = () => {};
  #text = '';
  #reasoning = '';

  constructor(messages: readonly Message[], context: Parameters<Model['call']>[1]) {
    this.messages = messages;
    this.#context = context;
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      context.signal.addEventListener('abort', () => reject(new AgentError('cancelled', 'It was cut off.')), {
        once: true,
      });
    });
  }

  get isCutOff(): boolean {
    return this.#context.signal.aborted;
  }

  think(text: string): this {
    this.#reasoning += text;
    this.#context.onDelta?.({ type: 'reasoning', text });
    return this;
  }

  say(text: string): this {
    this.#text += text;
    this.#context.onDelta?.({ type: 'text', text });
    return this;
  }

  end(calls: readonly { readonly name: string; readonly input: unknown }[] = [], used: Used = known): void {
    const thought = this.#reasoning === '' ? [] : [{ type: 'reasoning' as const, text: this.#reasoning }];
    const said = this.#text === '' ? [] : [{ type: 'text' as const, text: this.#text }];
    const asked = calls.map(({ name, input }, index) => ({
      type: 'tool-call' as const,
      id: `call-${index + 1}`,
      name,
      input: JSON.stringify(input),
    }));
    this.#resolve({
      message: { role: 'assistant', content: [...thought, ...said, ...asked] },
      finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
      ...used,
    });
  }
}

type Used = Pick<ModelReply, 'usage' | 'costUsd'>;

const known: Used = { usage: { inputTokens: 120, outputTokens: 40, cacheReadTokens: 60 }, costUsd: 0.0021 };

/** Of a provider that does not tell. */
export const unknown: Used = { usage: {} };
