// The messages of a request to chat completions: what the client says to its models, and the conversation.

import {
  type FilePart,
  isObject,
  type Message,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from '@ai-agent/core';
import type { Fields } from '../read-object.ts';
import { missingField, WrongField, wrongType } from '../wrong-field.ts';
import { readCalls } from './read-calls.ts';
import { readContent, readWords, wordsOf } from './read-content.ts';

export interface Conversation {
  readonly system: string;
  readonly messages: readonly Message[];
}

/** Throws `request-invalid`. */
export function readMessages(given: unknown): Conversation {
  if (given === undefined || given === null) throw missingField('messages');
  if (!Array.isArray(given)) throw wrongType('messages', 'a list of messages');
  if (given.length === 0)
    throw new WrongField('messages', 'messages is empty: somebody has to say something.', { trouble: 'empty_array' });
  const reading = new Reading();
  for (const [index, message] of given.entries()) reading.add(message, `messages[${index}]`);
  return reading.end(`messages[${given.length - 1}]`);
}

class Reading {
  readonly #system: string[] = [];
  readonly #messages: Message[] = [];
  /** Whether the model has said anything yet. */
  #hasSpoken = false;
  /** Of the last assistant, by their ids, and what came of them so far. */
  #open: { readonly param: string; readonly calls: ReadonlyMap<string, ToolCallPart> } | undefined;
  readonly #results = new Map<string, ToolResultPart>();

  add(message: unknown, param: string): void {
    if (!isObject(message)) throw wrongType(param, 'a message, which has a role');
    const { role } = message;
    if (role === undefined) throw missingField(`${param}.role`);
    if (role === 'tool' || role === 'function') {
      this.#addResult(message, param);
      return;
    }
    this.#closeCalls();
    if (role === 'system' || role === 'developer') this.#addSystem(readWords(message.content, `${param}.content`));
    else if (role === 'user') this.#addUser(readContent(message.content, `${param}.content`));
    else if (role === 'assistant') this.#addAssistant(message, param);
    else throw new WrongField(`${param}.role`, `${param}.role must be one of ${roles.join(', ')}.`);
  }

  end(param: string): Conversation {
    this.#closeCalls();
    // Whoever says nothing else asks with it.
    const asked = this.#messages.length === 0 ? this.#system.pop() : undefined;
    if (asked !== undefined) this.#addUser([{ type: 'text', text: asked }]);
    const last = this.#messages.at(-1)?.role;
    if (last !== 'user' && last !== 'tool')
      throw new WrongField(param, 'The conversation must end with a message of the user, or with results of tools.', {
        remedy: 'Send what is asked as the last message.',
      });
    return { system: this.#system.join('\n\n'), messages: this.#messages };
  }

  /** Once the model has spoken it belongs to its place in the conversation. */
  #addSystem(text: string): void {
    if (text.trim() === '') return;
    if (!this.#hasSpoken) this.#system.push(text);
    else this.#addUser([{ type: 'text', text }]);
  }

  #addUser(content: readonly (TextPart | FilePart)[]): void {
    this.#messages.push({ role: 'user', content });
  }

  #addAssistant(message: Fields, param: string): void {
    const { content, refusal } = message;
    const said = content ?? refusal;
    const text = said === undefined || said === null ? '' : readWords(said, `${param}.content`);
    const calls = readCalls(message, param);
    if (text === '' && calls.length === 0) return;
    this.#hasSpoken = true;
    this.#messages.push({ role: 'assistant', content: [...(text === '' ? [] : [toText(text)]), ...calls] });
    if (calls.length > 0) this.#open = { param, calls: new Map(calls.map((call) => [call.id, call])) };
  }

  #addResult(message: Fields, param: string): void {
    const call = this.#callOf(message, param);
    if (this.#results.has(call.id)) throw new WrongField(param, `${param} is a second result of the same call.`);
    const { content } = message;
    const parts = content === null ? [] : readContent(content, `${param}.content`);
    const files = parts.filter((part) => part.type === 'file');
    const more = files.length > 0 ? { files } : {};
    const { id, name } = call;
    this.#results.set(id, { type: 'tool-result', id, name, text: wordsOf(parts), isError: false, ...more });
  }

  #callOf({ role, tool_call_id: id, name }: Fields, param: string): ToolCallPart {
    const isById = role === 'tool';
    if (isById && (id === undefined || id === null)) throw missingField(`${param}.tool_call_id`);
    // Without an id it is that of the only call there is.
    const [only] = this.#open?.calls.values() ?? [];
    const call = isById ? this.#open?.calls.get(String(id)) : only?.name === name ? only : undefined;
    if (call) return call;
    throw new WrongField(
      isById ? `${param}.tool_call_id` : `${param}.name`,
      `${param} is a result, and the assistant's message before it has no such call.`,
      { remedy: 'Send the message with the call before its results, as it came.' },
    );
  }

  /** The results of one turn are one message, in the order of their calls. */
  #closeCalls(): void {
    if (!this.#open) return;
    const { param } = this.#open;
    const calls = [...this.#open.calls.values()];
    const results = calls.flatMap(({ id }) => this.#results.get(id) ?? []);
    if (results.length < calls.length) throw unanswered(param, calls, this.#results);
    this.#messages.push({ role: 'tool', content: results });
    this.#open = undefined;
    this.#results.clear();
  }
}

const roles = ['developer', 'system', 'user', 'assistant', 'tool', 'function'];

function toText(text: string): TextPart {
  return { type: 'text', text };
}

function unanswered(param: string, calls: readonly ToolCallPart[], results: ReadonlyMap<string, unknown>): WrongField {
  const ids = calls.flatMap(({ id }) => (results.has(id) ? [] : [id]));
  const shown = ids.length > 10 ? [...ids.slice(0, 10), '…'] : ids;
  return new WrongField(
    `${param}.tool_calls`,
    `The calls of ${param} must be followed by their results; these have none: ${shown.join(', ')}.`,
    { remedy: 'Send a message of the role tool for each call, right after the message that has them.' },
  );
}
