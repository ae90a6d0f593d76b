// A fact cut for a timeline: who did what and when, with the heads of long texts. All of it is one request away, by its number.

import { type Fact, head, isObject, type Message, payloadHead } from '@ai-agent/core';

/** A fact of which something was cut says so; texts that were cut end with `…`. */
export type BriefFact = Fact & { readonly isCut?: true };

/** What people read stays whole: what is asked and answered at the root, and every question. */
export function toBrief(fact: Fact, sessionId: string): BriefFact {
  if (isWhole(fact)) return fact;
  const shears = new Shears();
  const cut = isOfRoot(fact) ? cutAtRoot(fact, sessionId, shears) : cutBelow(fact, shears);
  return shears.hasCut ? { ...cut, isCut: true } : fact;
}

function isWhole(fact: Fact): boolean {
  if (fact.type === 'question-start' || fact.type === 'question-end') return true;
  return fact.type === 'session-end' && isOfRoot(fact);
}

function isOfRoot({ trace: { selfId, originId } }: Fact): boolean {
  return selfId === originId;
}

function cutAtRoot(fact: Fact, sessionId: string, shears: Shears): Fact {
  if (fact.type === 'session-start') {
    const isFirst = fact.trace.originId === sessionId;
    const messages = isFirst ? fact.messages : shears.last(fact.messages);
    return { ...shears.cut({ ...fact, messages: [] }), messages: messages.map((one) => cutSaid(one, shears)) };
  }
  if (fact.type === 'model-end' && fact.reply) {
    const { reply, ...rest } = fact;
    const message = cutSaid(reply.message, shears);
    return { ...shears.cut(rest), reply: { ...reply, message } };
  }
  return shears.cut(fact);
}

function cutBelow(fact: Fact, shears: Shears): Fact {
  return shears.cut(fact.type === 'session-start' ? { ...fact, messages: shears.last(fact.messages) } : fact);
}

/** What a person or the agent says is whole; calls, results and files are not. */
function cutSaid<M extends Message>(message: M, shears: Shears): M {
  if (message.role !== 'user' && message.role !== 'assistant') return shears.cut(message);
  const content = message.content.map((part) => {
    if (part.type !== 'text' && part.type !== 'reasoning') return shears.cut(part);
    return { ...shears.cut({ ...part, text: '' }), text: part.text };
  });
  return { ...message, content };
}

/** Data of any shape and size. */
const blobs: ReadonlySet<string> = new Set(['value', 'report', 'metadata', 'schema']);

class Shears {
  hasCut = false;

  /** Every long text in it is its head; large data is the head of its JSON. */
  cut<T>(value: T): T {
    return this.#cut(value) as T;
  }

  last<T>(list: readonly T[]): readonly T[] {
    if (list.length > 1) this.hasCut = true;
    return list.slice(-1);
  }

  #cut(value: unknown): unknown {
    if (typeof value === 'string') return this.#head(value);
    if (Array.isArray(value)) return value.map((part) => this.#cut(part));
    if (!isObject(value)) return value;
    const parts = Object.entries(value).filter(([name]) => !this.#isBound(name));
    return Object.fromEntries(
      parts.map(([name, part]) => [name, blobs.has(name) ? this.#blob(part) : this.#cut(part)]),
    );
  }

  /** What only the provider that wrote it understands. */
  #isBound(name: string): boolean {
    if (name !== 'bound') return false;
    this.hasCut = true;
    return true;
  }

  #blob(value: unknown): unknown {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return text.length > payloadHead ? this.#head(text) : value;
  }

  #head(text: string): string {
    if (text.length > payloadHead) this.hasCut = true;
    return head(text, payloadHead);
  }
}
