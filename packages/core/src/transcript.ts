// The conversation of one session: every call in it has its result, and it is only added to, unless it is summed up.

import { compacted, type Measured, type SummedUp } from './compaction.ts';
import { addResults, type Message, type ToolResultPart, textOf, type UserMessage, userMessage } from './message.ts';
import { takeBlocks } from './metadata-blocks.ts';
import type { ModelReply } from './model.ts';
import { readReport } from './report-tags.ts';
import { boundedFactor, tellingTokens, tokensOfMessage, tokensOfResultPart, usualBytesPerToken } from './tokens.ts';

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
  readonly #bytesPerToken: number;
  #promptTokens: number;
  /** Tokens of everything up to the last reply: the provider's count, or our estimate until there is one. */
  #counted: number;
  /** Estimated tokens of the messages since. */
  #since = 0;
  /** Tokens that the provider counted for one that was estimated, by its last report. */
  #factor = 1;
  /** True if `#counted` is the provider's count. A summary replaces it by an estimate. */
  #isCounted = false;
  /** True once the provider has counted a request. */
  #isCorrected = false;
  /** Its last words among what was summed up. */
  #lastWords = '';

  constructor(opening: readonly Message[], { promptTokens, ownFrom, bytesPerToken = usualBytesPerToken }: Measure) {
    this.#messages = [...opening];
    this.#ownFrom = ownFrom;
    this.#bytesPerToken = bytesPerToken;
    this.#promptTokens = promptTokens;
    this.#counted = promptTokens + this.#estimate(opening);
  }

  /** Tokens of the next request: as counted last, and by corrected estimate since. */
  get tokens(): number {
    if (this.#isCounted) return this.#counted + Math.ceil(this.#since * this.#factor);
    return Math.ceil((this.#counted + this.#since) * this.#factor);
  }

  /** True if a count of the provider corrects the estimates. */
  get isCorrected(): boolean {
    return this.#isCorrected;
  }

  /** The measure for what is added now, by the last count of the provider where the estimate was too low. */
  get bytesPerToken(): number {
    return this.#bytesPerToken / this.#factor;
  }

  /** With what goes with every request. */
  measured(): Omit<Measured, 'request'> {
    return {
      messages: this.view(),
      promptTokens: this.#promptTokens * this.#factor,
      bytesPerToken: this.bytesPerToken,
    };
  }

  /** From here on it is a summary, and what was said last. Gives the new place of a message that stays. */
  compact(summedUp: SummedUp): (index: number) => number {
    this.#lastWords = this.lastText();
    const { messages: shorter, placeOf } = compacted(this.view(), summedUp);
    this.#messages = [...shorter];
    this.#ownFrom = placeOf(this.#ownFrom);
    this.#counted = this.#promptTokens + this.#estimate(shorter);
    this.#since = 0;
    this.#isCounted = false;
    return placeOf;
  }

  add(...messages: readonly Message[]): void {
    this.#messages.push(...messages);
    this.#since += this.#estimate(messages);
  }

  /** A part of this estimated size goes with every request from now on. */
  addToEveryRequest(tokens: number): void {
    this.#promptTokens += tokens;
    this.#since += tokens;
  }

  /** In place of the words of a prompt; what came with it stays. */
  ask(at: number, text: string): UserMessage {
    const before = this.#messages[at];
    const files = before?.role === 'user' ? before.content.filter((part) => part.type === 'file') : [];
    const prompt = userMessage(text, files);
    this.#since += this.#estimate([prompt]);
    if (before) this.#since -= this.#estimate([before]);
    this.#messages[at] = prompt;
    return prompt;
  }

  addResults(parts: readonly ToolResultPart[]): void {
    addResults(this.#messages, parts);
    for (const part of parts) this.#since += tokensOfResultPart(part, this.#bytesPerToken);
  }

  /** The count of the provider, all of the conversation so far included, replaces our estimates. */
  addReply({ message, usage: { inputTokens, outputTokens } }: ModelReply): void {
    if (inputTokens === undefined || outputTokens === undefined) {
      this.add(message);
      return;
    }
    this.#calibrate(inputTokens);
    this.#messages.push(message);
    this.#counted = inputTokens + outputTokens;
    this.#since = 0;
    this.#isCounted = true;
    this.#isCorrected = true;
  }

  /** Compares the count with the estimate of the messages since the last one; before that, of the whole request. */
  #calibrate(inputTokens: number): void {
    const [counted, estimated] = this.#isCounted
      ? [inputTokens - this.#counted, this.#since]
      : [inputTokens, this.#counted + this.#since];
    if (estimated < tellingTokens) return;
    this.#factor = boundedFactor(counted / estimated, this.#bytesPerToken);
  }

  #estimate(messages: readonly Message[]): number {
    let tokens = 0;
    for (const message of messages) tokens += tokensOfMessage(message, this.#bytesPerToken);
    return tokens;
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

  /** The last text of this session, for endings without an answer. Text of earlier sessions does not count. */
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
