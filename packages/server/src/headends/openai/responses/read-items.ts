// Items of a request, put into the conversation that they are of.

import { AgentError, isObject } from '@ai-agent/core';
import type { Conversation } from './conversation.ts';
import { filesOf, readParts, wordsOf } from './read-parts.ts';
import type { SentTools } from './read-tools.ts';

/** An item as it was sent, or as it is kept. */
export type Item = Readonly<Record<string, unknown>>;

export interface ItemReading {
  readonly conversation: Conversation;
  readonly tools: SentTools;
}

/** Those that only another server understands are passed over. Throws `request-invalid`. */
export function readItem(item: Item, where: string, reading: ItemReading): void {
  const type = item.type ?? (typeof item.role === 'string' ? 'message' : undefined);
  const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read) read(item, where, reading);
  else for (const id of [item.call_id, item.id]) if (typeof id === 'string') reading.conversation.passOver(id);
}

/** As a list of items, whichever way it was sent. Throws `request-invalid`. */
export function toItems(input: unknown): readonly Item[] {
  if (input === undefined || input === null) return [];
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  if (!Array.isArray(input)) throw new AgentError('request-invalid', 'input must be a text, or a list of items.');
  return input.map((item: unknown, at) => {
    if (isObject(item)) return item;
    throw new AgentError('request-invalid', `input[${at}] must be an object.`);
  });
}

type Reader = (item: Item, where: string, reading: ItemReading) => void;

const readResult: Reader = ({ output, ...item }, where, { conversation }) => {
  const parts = readParts(output, `${where}.output`);
  const files = filesOf(parts);
  const result = { id: idOf(item, where), text: wordsOf(parts, '\n') };
  conversation.result(files.length > 0 ? { ...result, files } : result);
};

const readers: Readonly<Record<string, Reader>> = {
  message: readMessage,
  function_call: (item, where, { conversation, tools }) => {
    const name = nameOf(item, where);
    const input = textOf(item.arguments ?? '', `${where}.arguments`);
    conversation.call({
      type: 'tool-call',
      id: idOf(item, where),
      name: tools.offeredName(name, item.namespace),
      input: input.trim() === '' ? '{}' : input,
    });
  },
  custom_tool_call: (item, where, { conversation, tools }) => {
    const name = tools.offeredName(nameOf(item, where), item.namespace);
    const input = JSON.stringify({ input: textOf(item.input, `${where}.input`) });
    conversation.call({ type: 'tool-call', id: idOf(item, where), name, input });
  },
  function_call_output: readResult,
  custom_tool_call_output: readResult,
  // What was thought is nobody's any more: each agent thinks for itself.
  reasoning: () => {},
};

function readMessage({ role, content }: Item, where: string, { conversation }: ItemReading): void {
  const parts = readParts(content, `${where}.content`);
  if (role === 'user') conversation.user(parts);
  else if (role === 'assistant') conversation.assistant(wordsOf(parts));
  else if (role === 'system' || role === 'developer') conversation.rule(wordsOf(parts, '\n'));
  else throw new AgentError('request-invalid', `${where}.role must be user, assistant, system or developer.`);
}

function idOf({ call_id: id }: Item, where: string): string {
  if (typeof id === 'string' && id !== '') return id;
  throw new AgentError('request-invalid', `${where}.call_id must be the id of the call.`);
}

function nameOf({ name }: Item, where: string): string {
  if (typeof name === 'string' && name !== '') return name;
  throw new AgentError('request-invalid', `${where}.name must be the name of the tool.`);
}

function textOf(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw new AgentError('request-invalid', `${where} must be a text.`);
}
