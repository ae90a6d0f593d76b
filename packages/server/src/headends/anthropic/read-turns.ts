// The messages of a request as a conversation of ours: whose turn it was, what was called, and what came of it.

import type { AssistantMessage, Message, ToolCallPart, ToolResultPart, UserMessage } from '@ai-agent/core';
import { listAt, objectAt, textAt, wrong } from './field.ts';
import { type Part, type ResultPart, readContent, readWords } from './read-blocks.ts';

export interface Turns {
  /** What was said to the model before anything else. */
  readonly system: readonly string[];
  readonly messages: readonly Message[];
}

/** Throws `request-invalid`. */
export function readTurns(given: unknown): Turns {
  const said = listAt(given, 'messages').map((one, i) => objectAt(one, `messages.${i}`));
  if (said.length === 0) throw wrong('messages', 'at least one message is required.');
  const system: string[] = [];
  const turns: Turn[] = [];
  for (const [i, { role: name, content }] of said.entries()) {
    const at = `messages.${i}`;
    const role = readRole(name, `${at}.role`);
    // Some clients say it after the first words of the user: until the model has spoken it is for the whole.
    const isForAll = role === 'system' && turns.every((turn) => turn.role === 'user');
    if (isForAll) system.push(...readWords(content, `${at}.content`));
    else addTurn(turns, readTurn(role, content, at));
  }
  const last = turns.at(-1);
  if (!last) throw wrong('messages', 'there is nothing in them that could be answered.');
  if (last.role === 'assistant')
    throw wrong(
      last.at,
      'the conversation must end with a message of the user: an answer that was begun is not gone on with.',
    );
  return { system, messages: toMessages(turns) };
}

type Role = 'user' | 'assistant' | 'system';

function readRole(given: unknown, at: string): Role {
  const role = textAt(given, at);
  if (role === 'user' || role === 'assistant' || role === 'system') return role;
  if (role === 'developer') return 'system';
  throw wrong(at, 'this must be user, assistant or system.');
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly parts: Part[];
  /** Where its last message stands. */
  at: string;
}

type Said = Readonly<Omit<Turn, 'parts'>> & { readonly parts: readonly Part[] };

/** Of the system only the words, which are said in the place of a user. */
function readTurn(role: Role, content: unknown, at: string): Said {
  if (role === 'system') {
    const words = readWords(content, `${at}.content`);
    return { role: 'user', parts: words.map((text) => ({ type: 'text', text })), at };
  }
  const parts = readContent(content, `${at}.content`);
  const stray = parts.find(({ type }) => type === (role === 'user' ? 'tool-call' : 'tool-result'));
  if (stray?.type === 'tool-call') throw wrong(at, 'blocks of type tool_use are for messages of the assistant.');
  if (stray) throw wrong(at, 'blocks of type tool_result are for messages of the user.');
  return { role, parts, at };
}

/** Messages of one role that follow each other are one turn; those without anything are none. */
function addTurn(turns: Turn[], { role, parts, at }: Said): void {
  const last = turns.at(-1);
  if (parts.length === 0) return;
  if (last?.role !== role) turns.push({ role, parts: [...parts], at });
  else {
    // In place: there may be a million of them.
    for (const part of parts) last.parts.push(part);
    last.at = at;
  }
}

function toMessages(turns: readonly Turn[]): readonly Message[] {
  let open: readonly ToolCallPart[] = [];
  return turns.flatMap((turn): readonly Message[] => {
    if (turn.role === 'assistant') {
      const message = toAssistant(turn);
      open = message.content.filter((part) => part.type === 'tool-call');
      return message.content.length === 0 ? [] : [message];
    }
    const results = pair(open, turn);
    const content = turn.parts.filter((part) => part.type === 'text' || part.type === 'file');
    const words: readonly UserMessage[] = content.length === 0 ? [] : [{ role: 'user', content }];
    return results.length === 0 ? words : [{ role: 'tool', content: results }, ...words];
  });
}

function toAssistant({ parts, at }: Turn): AssistantMessage {
  const content = parts.filter((part) => part.type === 'text' || part.type === 'tool-call');
  const ids = content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
  if (new Set(ids).size < ids.length) throw wrong(at, 'two blocks of type tool_use have the same id.');
  return { role: 'assistant', content };
}

/** Every call has one result in the turn that follows it, and every result its call. In the order of the calls. */
function pair(calls: readonly ToolCallPart[], { parts, at }: Turn): readonly ToolResultPart[] {
  const called = new Set(calls.map(({ id }) => id));
  const results = new Map<string, ResultPart>();
  for (const part of parts) {
    if (part.type !== 'tool-result') continue;
    if (!called.has(part.id))
      throw wrong(part.at, `there is no tool_use with the id ${part.id} in the message before.`);
    if (results.has(part.id)) throw wrong(part.at, `there are two results for the tool_use ${part.id}.`);
    results.set(part.id, part);
  }
  const missing = calls.filter(({ id }) => !results.has(id)).map(({ id }) => id);
  const shown = missing.length > 10 ? [...missing.slice(0, 10), '…'] : missing;
  if (missing.length > 0)
    throw wrong(at, `these tool_use ids have no tool_result in the message after them: ${shown.join(', ')}.`);
  return calls.flatMap(({ id, name }) => {
    const result = results.get(id);
    if (!result) return [];
    const { text, isError, files } = result;
    return [{ type: 'tool-result', id, name, text, isError, ...(files.length === 0 ? {} : { files }) }];
  });
}
