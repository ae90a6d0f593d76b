// The conversation of one session: every call in it has its result, and it is only added to, unless it is summed up.

import { compacted, type Measured, type SummedUp } from './compaction.ts';
import { addResults, type Message, type ToolResultPart, textOf, type UserMessage, userMessage } from './message.ts';
import { takeBlocks } from './metadata-blocks.ts';
import type { ModelReply } from './model.ts';
import { readReport } from './report-tags.ts';
import { tokensOfMessage, tokensOfResult, usualBytesPerToken } from './tokens.ts';

interface Measure {
  /** What goes with every request beside the conversation. */
  readonly promptTokens: number;
  /** From this message on it is this session's own. */
  readonly ownFrom: number;
  /** @default the usual */
  readonly bytesPerToken?: number;
}

export class Transcript {
  #messages: Message[];
  #ownFrom: number;
  readonly #bytesPerToken: number | undefined;
  readonly #promptTokens: number;
  #tokens: number;
  /** Its last words among what was summed up. */
  #lastWords = '';

  constructor(opening: readonly Message[], { promptTokens, ownFrom, bytesPerToken }: Measure) {
    this.#messages = [...opening];
    this.#ownFrom = ownFrom;
    this.#bytesPerToken = bytesPerToken;
    this.#promptTokens = promptTokens;
    this.#tokens = this.#estimate(bytesPerToken);
  }

  /** How many tokens the next request will be, by what was counted last and by estimate since. */
  get tokens(): number {
    return this.#tokens;
  }

  /** What a token is, by what was counted last: where our estimate was too low, by so much. */
  get bytesPerToken(): number {
    const estimated = this.#bytesPerToken ?? usualBytesPerToken;
    return estimated / Math.max(1, this.tokens / this.#estimate(estimated));
  }

  /** With what goes with every request. */
  measured(): Omit<Measured, 'request'> {
    const { bytesPerToken } = this;
    const promptTokens = this.#promptTokens * ((this.#bytesPerToken ?? usualBytesPerToken) / bytesPerToken);
    return { messages: this.view(), promptTokens, bytesPerToken };
  }

  /** From here on it is a summary, and what was said last. Gives the new place of a message that stays. */
  compact(summedUp: SummedUp): (index: number) => number {
    const { messages, promptTokens, bytesPerToken } = this.measured();
    this.#lastWords = this.lastText();
    const { messages: shorter, placeOf } = compacted(messages, summedUp);
    this.#messages = [...shorter];
    this.#ownFrom = placeOf(this.#ownFrom);
    this.#tokens = Math.ceil(promptTokens);
    for (const message of shorter) this.#tokens += tokensOfMessage(message, bytesPerToken);
    return placeOf;
  }

  #estimate(bytesPerToken: number | undefined): number {
    let tokens = this.#promptTokens;
    for (const message of this.#messages) tokens += tokensOfMessage(message, bytesPerToken);
    return tokens;
  }

  add(...messages: readonly Message[]): void {
    this.#messages.push(...messages);
    for (const message of messages) this.#tokens += tokensOfMessage(message, this.#bytesPerToken);
  }

  /** In place of the words of a prompt; what came with it stays. */
  ask(at: number, text: string): UserMessage {
    const before = this.#messages[at];
    const files = before?.role === 'user' ? before.content.filter((part) => part.type === 'file') : [];
    const prompt = userMessage(text, files);
    this.#tokens += tokensOfMessage(prompt, this.#bytesPerToken);
    if (before) this.#tokens -= tokensOfMessage(before, this.#bytesPerToken);
    this.#messages[at] = prompt;
    return prompt;
  }

  addResults(parts: readonly ToolResultPart[]): void {
    addResults(this.#messages, parts);
    for (const part of parts) this.#tokens += tokensOfResult(part, this.#bytesPerToken);
  }

  /** What its provider counted, all of the conversation so far included, replaces our estimates. */
  addReply({ message, usage: { inputTokens, outputTokens } }: ModelReply): void {
    this.add(message);
    if (inputTokens !== undefined && outputTokens !== undefined) this.#tokens = inputTokens + outputTokens;
  }

  /** Whether a result in it names what was too long for it. */
  hasHandles(): boolean {
    return this.#messages.some(
      (message) =>
        message.role === 'tool' && message.content.some(({ text }) => /\bout-[\d.-]+-[\da-f]{8}\b/.test(text)),
    );
  }

  /** A copy: what was handed to an operation does not change under it. */
  view(): readonly Message[] {
    return this.#messages.slice();
  }

  /** The last words of this session, for endings without an answer. What was said before it is another's. */
  lastText(): string {
    for (const message of this.#messages.slice(this.#ownFrom).reverse()) {
      if (message.role !== 'assistant') continue;
      // What was meant for plugins is no word of the answer.
      const text = readReport(takeBlocks(textOf(message)).text);
      if (text.trim() !== '') return text;
    }
    return this.#lastWords;
  }
}
