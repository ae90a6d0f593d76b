// What one run uses, told call by call. What nobody reported is estimated: an unknown amount must not be a free one.

import {
  type AgentEvent,
  costOf,
  type Fact,
  type Message,
  type ModelReply,
  type PriceResolver,
  tokensOf,
} from '@ai-agent/core';

export interface Amounts {
  readonly tokens: number;
  readonly costUsd: number;
}

interface OpenCall {
  readonly sessionId: string;
  readonly provider: string;
  readonly model: string;
  /** Tokens that came before it was cut off. */
  heard: number;
}

interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** A picture or a file, by a usual measure. */
const tokensOfFile = 1_500;

export class RunSpending {
  readonly #charge: (used: Amounts) => void;
  readonly #prices: PriceResolver | undefined;
  readonly #open = new Map<string, OpenCall>();
  /** What was said and read, for whoever has to estimate; they are kept elsewhere too. */
  readonly #told: Fact[] = [];
  /** What a token has cost at most. */
  #dearest = 0;

  constructor(charge: (used: Amounts) => void, prices: PriceResolver | undefined) {
    this.#charge = charge;
    this.#prices = prices;
  }

  readonly hear = (event: AgentEvent): void => {
    if (event.kind === 'hint') {
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') this.#stream(event.trace.selfId, event.text);
      return;
    }
    const { op, trace, type } = event;
    const name = `${trace.selfId}/${op}`;
    if (type === 'session-start' || type === 'turn-start' || type === 'tool-end') this.#told.push(event);
    if (type === 'model-start') {
      const { provider, model } = event;
      this.#open.set(name, { sessionId: trace.selfId, provider, model, heard: 0 });
    }
    if (type !== 'model-end') return;
    const call = this.#open.get(name);
    this.#open.delete(name);
    if (event.reply) this.#count({ ...event, sessionId: trace.selfId, heard: 0 }, event.reply);
    // Without a reply it failed, or was refused before it was made: providers do not charge for either.
    else if (call && call.heard > 0) this.#count(call);
    this.#told.push(event);
  };

  /** Calls that were cut off. */
  close(): void {
    for (const call of this.#open.values()) this.#count(call);
    this.#open.clear();
  }

  #stream(sessionId: string, text: string): void {
    for (const call of this.#open.values()) if (call.sessionId === sessionId) call.heard += tokensOf(text);
  }

  #count(call: OpenCall, reply?: ModelReply): void {
    const { inputTokens, outputTokens } = reply?.usage ?? {};
    const input = inputTokens ?? estimateInput(this.#told, call.sessionId);
    const output = outputTokens ?? (reply ? tokensOfMessages([reply.message]) : call.heard);
    const tokens = input + output;
    const costUsd = reply?.costUsd;
    if (costUsd === undefined) {
      this.#estimateCost(call, { input, output });
      return;
    }
    if (tokens > 0) this.#dearest = Math.max(this.#dearest, costUsd / tokens);
    this.#charge({ tokens, costUsd });
  }

  /** By what the model costs; where only its provider knows, by the dearest call so far. */
  #estimateCost({ provider, model }: OpenCall, { input, output }: Tokens): void {
    const tokens = input + output;
    this.#charge({ tokens, costUsd: 0 });
    const settle = (price: Awaited<ReturnType<PriceResolver>>) => {
      const known = typeof price === 'object' ? costOf(price, { inputTokens: input, outputTokens: output }) : undefined;
      this.#charge({ tokens: 0, costUsd: known ?? tokens * this.#dearest });
    };
    const price = ask(this.#prices, provider, model);
    if (price instanceof Promise) price.then(settle, () => settle(undefined));
    else settle(price);
  }
}

function ask(prices: PriceResolver | undefined, provider: string, model: string): ReturnType<PriceResolver> {
  try {
    return prices?.(provider, model);
  } catch {
    return undefined;
  }
}

function estimateInput(told: readonly Fact[], sessionId: string): number {
  let tokens = 0;
  for (const fact of told) {
    if (fact.trace.selfId !== sessionId) continue;
    if (fact.type === 'session-start') tokens += tokensOf(fact.system) + tokensOfMessages(fact.messages);
    if (fact.type === 'turn-start') tokens += tokensOfMessages(fact.said);
    if (fact.type === 'model-end' && fact.reply) tokens += tokensOfMessages([fact.reply.message]);
    if (fact.type === 'tool-end') tokens += tokensOf(fact.result.text);
  }
  return tokens;
}

function tokensOfMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

function tokensOfMessage(message: Message): number {
  if (message.role === 'system') return tokensOf(message.text);
  let tokens = 0;
  for (const part of message.content) {
    if (part.type === 'file') tokens += tokensOfFile;
    else tokens += tokensOf(part.type === 'tool-call' ? part.input : part.text);
  }
  return tokens;
}
