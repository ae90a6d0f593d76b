// What was said in a session from its first word to its last, whatever was summed up for its model on the way.

import { callsOf, type Fact, type Message, type Question, textOf } from '@ai-agent/core';
import { answerInWords, type SessionStart } from '../../asked-in.ts';

export type Said =
  | { readonly who: 'user' | 'assistant' | 'house'; readonly message: Message }
  | { readonly who: 'tool'; readonly name: string; readonly text: string }
  | { readonly who: 'asks'; readonly question: Question }
  | { readonly who: 'answers'; readonly text: string };

/** Of the agent that was asked; what those below it ask people is part of it. */
export function saidIn(facts: Iterable<Fact>): readonly Said[] {
  const saying = new Saying();
  for (const fact of facts) saying.add(fact);
  return saying.all;
}

class Saying {
  readonly all: Said[] = [];
  /** The names of calls, as the model said them. */
  readonly #names = new Map<string, string>();
  #lastWords = '';
  #isStep = false;

  add(fact: Fact): void {
    if (fact.type === 'question-start') this.all.push({ who: 'asks', question: fact.question });
    // What was left open is asked again, by the round that is given the answer or by its head.
    if (fact.type === 'question-end' && fact.failure?.code === 'question-left') this.#takeBack(fact);
    if (fact.type === 'question-end' && fact.answer !== undefined)
      this.all.push({ who: 'answers', text: answerInWords(fact.answer) });
    if (fact.trace.parentId === null) this.#addOwn(fact);
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
    if (fact.type === 'batch-end') this.#addResult(fact.trace.correlationId, fact.result.text);
    if (fact.type === 'tool-end' && fact.batch === undefined && !this.#isStep)
      this.#addResult(fact.trace.correlationId, fact.result.text);
    if (fact.type === 'session-end' && (fact.ending.status === 'completed' || fact.ending.status === 'partial'))
      this.#sayOnce(fact.ending.text);
  }

  /** What was said before stands there again; the first round may have been given some. */
  #begin({ messages }: SessionStart): void {
    const isFirst = this.all.length === 0;
    const [before, last] = [messages.slice(0, -1), messages.at(-1)];
    // The answer that the round before was cut short in is told by this one alone.
    const draft = before.at(-1);
    if (isFirst) for (const message of before) this.#addBefore(message);
    else if (last?.role === 'user' && draft?.role === 'assistant') this.#sayOnce(textOf(draft));
    if (last?.role === 'user') this.all.push({ who: 'user', message: last });
  }

  #addBefore(message: Message): void {
    if (message.role === 'assistant') this.#say(message);
    if (message.role === 'user') this.all.push({ who: 'user', message });
    if (message.role === 'tool')
      for (const { name, text } of message.content) this.all.push({ who: 'tool', name, text });
  }

  #say(message: Extract<Message, { role: 'assistant' }>): void {
    for (const { id, name } of callsOf(message)) this.#names.set(id, name);
    this.#lastWords = textOf(message).trim() || this.#lastWords;
    this.all.push({ who: 'assistant', message });
  }

  #sayOnce(text: string): void {
    if (text.trim() === '' || text.trim() === this.#lastWords) return;
    this.#say({ role: 'assistant', content: [{ type: 'text', text }] });
  }

  #addResult(id: string, text: string): void {
    this.all.push({ who: 'tool', name: this.#names.get(id) ?? '', text });
  }
}
