// Who said what in each session, folded from facts.

import { compacted, type SummedUp } from '../compaction.ts';
import type { Ending } from '../ending.ts';
import type { AgentEvent, BatchEnd, Fact, SessionEnd, SessionStart, ToolEnd, TurnEnd } from '../events.ts';
import { addResults, callsOf, type Message, textOf, type UserMessage } from '../message.ts';
import { isBelow } from '../place.ts';
import type { StepKind } from '../step-kind.ts';
import { toResultPart } from '../tool-result.ts';
import { type IsNews, onlyNews } from './news.ts';

export type Conversations = Readonly<Record<string, readonly Message[]>>;

export class ConversationsFold {
  readonly #isNews: IsNews;
  readonly #messages = new Map<string, Message[]>();
  /** Sessions that are at a step. */
  readonly #steps = new Set<string>();
  /** Sessions whose request, or whose answer, was handed on. */
  readonly #handedOn = new Set<string>();

  constructor(isNews = onlyNews()) {
    this.#isNews = isNews;
  }

  add(event: AgentEvent): void {
    if (event.kind !== 'fact' || !this.#isNews(event)) return;
    const id = event.trace.selfId;
    if (event.type === 'session-start') this.#messages.set(id, startOf(event));
    if (event.type === 'turn-start' && event.step) this.#beginStep(id, event.step);
    const messages = this.#messages.get(id);
    if (messages) this.#say(event, messages);
  }

  #say(event: Fact, messages: Message[]): void {
    const id = event.trace.selfId;
    if (event.type === 'turn-start') messages.push(...event.said);
    if (event.type === 'model-end' && event.reply && !event.step) messages.push(event.reply.message);
    if (event.type === 'session-end') messages.push(...this.#answeredBy(event, messages));
    if (event.type === 'turn-end' && this.#steps.delete(id)) endStep(event, messages);
    if (event.type === 'batch-end') addResult(messages, event);
    // What the house asked for itself is not part of what was said; what came in a batch is told by the result of that.
    if (event.type === 'tool-end' && event.batch === undefined && !this.#steps.has(id)) addResult(messages, event);
  }

  #beginStep(id: string, step: StepKind): void {
    this.#steps.add(id);
    if (step === 'router' || step === 'handoff') this.#handedOn.add(id);
  }

  /** An answer that no model of the session said, and that whoever goes on from here has heard. */
  #answeredBy({ trace: { selfId: id }, ending }: SessionEnd, messages: readonly Message[]): readonly Message[] {
    const isCached = ending.status === 'completed' && ending.isCached === true;
    const isOthers = this.#handedOn.delete(id) && isAnswer(ending) && !isLastWord(messages, ending.text);
    return isCached || isOthers ? [{ role: 'assistant', content: [{ type: 'text', text: ending.text }] }] : [];
  }

  /** Takes over a conversation whose facts were told elsewhere. */
  recall(id: string, messages: readonly Message[]): void {
    if (!this.#messages.has(id)) this.#messages.set(id, [...messages]);
  }

  of(id: string): readonly Message[] | undefined {
    return this.#messages.get(id);
  }

  /** All of them, or those of one session and the ones below it. */
  conversations(below?: string): Conversations {
    return Object.fromEntries([...this.#messages].filter(([id]) => below === undefined || isBelow(id, below)));
  }
}

export function conversationsOf(events: Iterable<AgentEvent>): Conversations {
  const fold = new ConversationsFold();
  for (const event of events) fold.add(event);
  return fold.conversations();
}

/** Joined, not spread: a list that is spread keeps room for as many again. */
function startOf({ system, messages }: SessionStart): Message[] {
  const first: readonly Message[] = [{ role: 'system', text: system }];
  return first.concat(messages);
}

function addResult(messages: Message[], { trace: { correlationId: id }, result }: ToolEnd | BatchEnd): void {
  addResults(messages, [toResultPart({ part: { id, name: nameOf(messages, id) }, result })]);
}

function endStep({ prompt, summedUp }: TurnEnd, messages: Message[]): void {
  if (prompt) askAnew(messages, prompt);
  if (summedUp) sumUp(messages, summedUp);
}

/** The prompt is the last that was said. */
function askAnew(messages: Message[], prompt: UserMessage): void {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  if (at >= 0) messages[at] = prompt;
}

function isAnswer({ status, text }: Ending): boolean {
  return (status === 'completed' || status === 'partial') && text !== '';
}

/** What was there before somebody who failed is told already. */
function isLastWord(messages: readonly Message[], text: string): boolean {
  const last = messages.findLast((message) => message.role === 'assistant');
  return last !== undefined && textOf(last) === text;
}

/** What was summed up stands in the facts before. */
function sumUp(messages: Message[], summedUp: SummedUp): void {
  const system = messages.slice(0, 1);
  messages.splice(0, messages.length, ...system, ...compacted(messages.slice(1), summedUp).messages);
}

/** The name as the model said it in its call. */
function nameOf(messages: readonly Message[], id: string): string {
  const asked = messages.findLast((message) => message.role === 'assistant');
  return (asked && callsOf(asked).find((call) => call.id === id)?.name) ?? '';
}
