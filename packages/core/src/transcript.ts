// The conversation of one session: append-only, and every call in it has its result.

import { addResults, type Message, type ToolResultPart, textOf, type UserMessage, userMessage } from './message.ts';
import type { ModelReply } from './model.ts';
import { readReport } from './report-tags.ts';
import { tokensOfMessage, tokensOfResult } from './tokens.ts';

interface Measure {
  /** What goes with every request beside the conversation. */
  readonly promptTokens: number;
  /** From this message on it is this session's own. */
  readonly ownFrom: number;
  /** @default the usual */
  readonly bytesPerToken?: number;
}

export class Transcript {
  readonly #messages: Message[];
  readonly #ownFrom: number;
  readonly #bytesPerToken: number | undefined;
  #tokens: number;
  #expected = 0;

  constructor(opening: readonly Message[], { promptTokens, ownFrom, bytesPerToken }: Measure) {
    this.#messages = [...opening];
    this.#ownFrom = ownFrom;
    this.#bytesPerToken = bytesPerToken;
    this.#tokens = promptTokens;
    for (const message of opening) this.#tokens += tokensOfMessage(message, bytesPerToken);
  }

  /** How many tokens the next request will be, by what was counted last and by estimate since. */
  get tokens(): number {
    return this.#tokens + this.#expected;
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
    this.#expected = 0;
    this.#tokens += tokensOfMessage(prompt, this.#bytesPerToken);
    if (before) this.#tokens -= tokensOfMessage(before, this.#bytesPerToken);
    this.#messages[at] = prompt;
    return prompt;
  }

  addResults(parts: readonly ToolResultPart[]): void {
    this.#expected = 0;
    addResults(this.#messages, parts);
    for (const part of parts) this.#tokens += tokensOfResult(part, this.#bytesPerToken);
  }

  /** A result that is about to be added counts already. */
  expect(result: Pick<ToolResultPart, 'text' | 'files'>): void {
    this.#expected += tokensOfResult(result, this.#bytesPerToken);
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
      const text = readReport(textOf(message));
      if (text.trim() !== '') return text;
    }
    return '';
  }
}

/** A conversation that can be gone on with: without its system prompt, and without calls that nobody answered. */
export function toHistory(conversation: readonly Message[]): readonly Message[] {
  const history = conversation.filter((message) => message.role !== 'system');
  const last = history.at(-1);
  const isOpen = last?.role === 'assistant' && last.content.some((part) => part.type === 'tool-call');
  return isOpen ? history.slice(0, -1) : history;
}
