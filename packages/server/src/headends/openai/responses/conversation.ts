// A conversation as it is put together from items: every result goes to the call that it is of, however they come.

import type { AssistantMessage, Message, ToolCallPart, ToolResultPart, UserMessage } from '@ai-agent/core';
import { WrongField } from '../wrong-field.ts';
import type { Part } from './read-parts.ts';

interface Turn {
  /** One after the other, with what stands between them. */
  readonly texts: string[];
  readonly calls: ToolCallPart[];
  /** By the ids of their calls. */
  readonly results: Map<string, ToolResultPart>;
}

/** What was said so far, and what of it was said as rules for the whole. */
export interface Conversed {
  readonly system: readonly string[];
  readonly messages: readonly Message[];
}

export class Conversation {
  readonly #system: string[];
  readonly #turns: (UserMessage | Turn)[] = [];
  /** Calls that have no result yet, by their ids. */
  readonly #open = new Map<string, { readonly turn: Turn; readonly call: ToolCallPart }>();
  /** Ids of calls that nobody here can hand on, with their results. */
  readonly #passedOver = new Set<string>();
  #hasSpoken = false;
  #isLossy = false;

  constructor({ system, messages }: Conversed = { system: [], messages: [] }) {
    this.#system = [...system];
    for (const message of messages) this.#repeat(message);
  }

  /** Rules come before the model has spoken: later on they are words like others. */
  rule(text: string): void {
    if (text === '') return;
    if (!this.#hasSpoken) this.#system.push(text);
    else this.user([{ type: 'text', text }]);
  }

  user(content: readonly Part[]): void {
    if (content.length > 0) this.#turns.push({ role: 'user', content });
  }

  /** A response may have several messages, with what was thought between them: they are one answer. */
  assistant(text: string): void {
    if (text === '') return;
    const { texts } = this.#turn();
    const isApart = /\S/.test(texts.at(-1)?.at(-1) ?? '') && /^\S/.test(text);
    texts.push(...(isApart ? ['\n\n', text] : [text]));
  }

  /** What is called twice under one id is one call. */
  call(call: ToolCallPart): void {
    const turn = this.#turn();
    if (this.#open.get(call.id)?.turn === turn) return;
    turn.calls.push(call);
    this.#open.set(call.id, { turn, call });
  }

  /** Throws `request-invalid` where nobody called. */
  result({ id, text, files }: Pick<ToolResultPart, 'id' | 'text' | 'files'>): void {
    const open = this.#open.get(id);
    if (open) {
      const { turn, call } = open;
      const result = { type: 'tool-result', id, name: call.name, text, isError: false } as const;
      turn.results.set(id, files ? { ...result, files } : result);
      this.#open.delete(id);
    } else if (!this.#passedOver.has(id) && !this.#isLossy)
      throw new WrongField('input', `No tool call was found for the output with call_id ${id}.`, {
        remedy: 'Send the call before its output, or previous_response_id of the response that has it.',
      });
  }

  /** A call of a kind that nobody here can hand on. */
  passOver(id: string): void {
    this.#passedOver.add(id);
  }

  /** Something that was only named is not there any more: its results are nobody's. */
  lose(): void {
    this.#isLossy = true;
  }

  /** Throws `request-invalid` where a result is missing, or nothing is left to answer. */
  finish(): Conversed {
    const messages = this.#turns.flatMap((turn) => ('role' in turn ? [turn] : toMessages(turn)));
    const last = messages.at(-1)?.role;
    // Whoever has nothing but rules to say wants them answered.
    if (last === undefined && this.#system.length > 0)
      return {
        system: [],
        messages: [{ role: 'user', content: this.#system.map((text) => ({ type: 'text', text })) }],
      };
    if (last === undefined) throw new WrongField('input', 'input is empty: there is nothing to answer.');
    if (last === 'assistant')
      throw new WrongField('input', 'input must end with a message of the user, or with outputs of tools.');
    return { system: this.#system, messages };
  }

  /** The one that speaks now: after its results it is another. */
  #turn(): Turn {
    const last = this.#turns.at(-1);
    if (last && !('role' in last) && last.results.size === 0) return last;
    const turn: Turn = { texts: [], calls: [], results: new Map() };
    this.#turns.push(turn);
    this.#hasSpoken = true;
    return turn;
  }

  #repeat(message: Message): void {
    if (message.role === 'user') this.user(message.content);
    else if (message.role === 'tool') for (const result of message.content) this.result(result);
    else if (message.role === 'assistant')
      for (const part of message.content) {
        if (part.type === 'text') this.assistant(part.text);
        else if (part.type === 'tool-call') this.call(part);
      }
  }
}

function toMessages({ texts, calls, results }: Turn): readonly Message[] {
  const text = texts.join('');
  const assistant: AssistantMessage = {
    role: 'assistant',
    content: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...calls],
  };
  if (calls.length === 0) return [assistant];
  const content = calls.map(({ id }) => {
    const result = results.get(id);
    if (result) return result;
    throw new WrongField('input', `No tool output was found for the call with call_id ${id}.`, {
      remedy: 'Send an output for every call, or leave the call out.',
    });
  });
  return [assistant, { role: 'tool', content }];
}
