// What was said in a session from its first word to its last, whatever was summed up for its model on the way.

import {
  callsOf,
  type Fact,
  type Json,
  type Message,
  type Question,
  type SessionHead,
  type ToolResult,
  textOf,
} from '@ai-agent/core';
import { answerInWords, isOurs, type SessionStart } from '../../asked-in.ts';

export type Said =
  | { readonly who: 'user' | 'assistant' | 'house'; readonly message: Message }
  | { readonly who: 'tool'; readonly name: string; readonly text: string }
  | { readonly who: 'report'; readonly report: Json }
  | { readonly who: 'asks' | 'asks-agent'; readonly question: Question }
  | { readonly who: 'answers'; readonly text: string }
  /** A round ended, and not with an answer. */
  | { readonly who: 'end'; readonly text: string };

/** Of the agent that was asked; what those below it ask people is part of it. */
export function saidIn(facts: Iterable<Fact>, head: SessionHead): readonly Said[] {
  const saying = new Saying();
  for (const fact of facts) saying.add(fact);
  saying.finish(head);
  return saying.all;
}

type SessionEnd = Extract<Fact, { type: 'session-end' }>;

class Saying {
  readonly all: Said[] = [];
  /** The names of calls, as the model said them. */
  readonly #names = new Map<string, string>();
  #lastWords = '';
  #isStep = false;
  /** How the last round ended; null while it has not. */
  #ending: SessionEnd['ending'] | null | undefined;

  add(fact: Fact): void {
    if (fact.type === 'question-start') this.all.push({ who: 'asks', question: fact.question });
    // What was left open is asked again, by the round that is given the answer or by its head.
    if (fact.type === 'question-end' && fact.failure?.code === 'question-left') this.#takeBack(fact);
    if (fact.type === 'question-end' && fact.answer !== undefined)
      this.all.push({ who: 'answers', text: answerInWords(fact.answer) });
    if (fact.trace.parentId === null) this.#addOwn(fact);
  }

  /** What is in no fact: of the last round alone, and told by the head. */
  finish({ status, draft, limit, failure, question }: SessionHead): void {
    if (draft !== undefined) this.#sayOnce(draft);
    if (failure) this.#end(`${status}: ${failure.message}`);
    else if (status === 'interrupted') this.#end(status);
    else if (status === 'partial' && limit !== undefined) this.#end(`partial: ${limit}`);
    else if (this.#ending) this.#end(endOf(this.#ending));
    if (question) this.all.push({ who: 'asks', question });
  }

  #takeBack({ trace, op }: Fact): void {
    const i = this.all.findLastIndex((said) => said.who === 'asks' && said.question.handle === `${trace.selfId}/${op}`);
    if (i >= 0) this.all.splice(i, 1);
  }

  #addOwn(fact: Fact): void {
    if (fact.type === 'session-start') this.#begin(fact);
    if (fact.type === 'turn-start') {
      this.#isStep = fact.step !== undefined;
      for (const message of fact.said) this.all.push({ who: 'house', message });
    }
    if (fact.type === 'model-end' && fact.reply && !fact.step) this.#say(fact.reply.message);
    if (fact.type === 'batch-end') this.#addResult(fact.trace.correlationId, fact.result);
    if (fact.type === 'tool-end' && fact.batch === undefined && !this.#isStep)
      this.#addResult(fact.trace.correlationId, fact.result);
    if (fact.type === 'session-end') this.#hearEnd(fact.ending);
  }

  /** What was said before stands there again; the first round may have been given some. */
  #begin(start: SessionStart): void {
    const { messages } = start;
    const isFirst = this.#ending === undefined;
    const [before, last] = [messages.slice(0, -1), messages.at(-1)];
    const who = (at: number) => (isOurs(start, at) ? 'house' : 'user');
    if (isFirst) for (const [i, message] of before.entries()) this.#addBefore(message, who(i));
    else this.#endRound(last?.role === 'user' ? before.at(-1) : undefined);
    this.#ending = null;
    if (last?.role === 'user') this.all.push({ who: who(before.length), message: last });
  }

  /** The answer that a round was cut short in is told by the next one alone: it stands before what is said then. */
  #endRound(draft: Message | undefined): void {
    const ending = this.#ending;
    const isDraft = draft?.role === 'assistant' && this.#sayOnce(textOf(draft));
    if (ending === null) this.#end('interrupted');
    else if (ending) this.#end(isDraft && ending.status === 'cancelled' ? 'partial: stop' : endOf(ending));
  }

  #end(text: string): void {
    if (text !== '') this.all.push({ who: 'end', text });
  }

  #addBefore(message: Message, who: 'user' | 'house'): void {
    if (message.role === 'assistant') this.#say(message);
    if (message.role === 'user') this.all.push({ who, message });
    if (message.role === 'tool')
      for (const { name, text } of message.content) this.all.push({ who: 'tool', name, text });
  }

  /** A question is read as that, not as the call that asks it. */
  #say(message: Extract<Message, { role: 'assistant' }>): void {
    for (const { id, name } of callsOf(message)) this.#names.set(id, name);
    this.#lastWords = textOf(message).trim() || this.#lastWords;
    const content = message.content.filter((part) => part.type !== 'tool-call' || part.name !== asking);
    this.all.push({ who: 'assistant', message: { ...message, content } });
  }

  /** Whether it was not the last that was said. */
  #sayOnce(text: string): boolean {
    if (text.trim() === '' || text.trim() === this.#lastWords) return false;
    this.#say({ role: 'assistant', content: [{ type: 'text', text }] });
    return true;
  }

  #hearEnd(ending: SessionEnd['ending']): void {
    this.#ending = ending;
    if (ending.status !== 'completed' && ending.status !== 'partial') return;
    const { report, text } = ending;
    if (report === undefined || typeof report === 'string') {
      this.#sayOnce(text);
      return;
    }
    const last = this.all.at(-1);
    const words = last?.who === 'assistant' && last.message.role === 'assistant' ? textOf(last.message) : '';
    if (isJsonOf(report, words)) this.all.pop();
    this.all.push({ who: 'report', report });
    this.#lastWords = text.trim();
  }

  /** Whoever asks a person has no result yet: the same call has one when that was answered. */
  #addResult(id: string, { text, status, session }: ToolResult): void {
    const name = this.#names.get(id) ?? '';
    const question = session?.question;
    if (question?.to === 'person' || (name === asking && status === 'ok')) return;
    this.all.push(question ? { who: 'asks-agent', question } : { who: 'tool', name, text });
  }
}

/** The tool with which an agent asks. */
const asking = 'ask_user';

/** Whether these words are the report and nothing else. */
function isJsonOf(report: Json, words: string): boolean {
  try {
    return JSON.stringify(JSON.parse(words)) === JSON.stringify(report);
  } catch {
    return false;
  }
}

function endOf(ending: SessionEnd['ending']): string {
  if ('failure' in ending) return `${ending.status}: ${ending.failure.message}`;
  return ending.status === 'partial' ? `partial: ${ending.limit}` : '';
}
