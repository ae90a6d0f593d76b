// Items of a request, put into the conversation that they are of.

import { isObject } from '@ai-agent/core';
import type { Fields } from '../read-object.ts';
import { WrongField, wrongType } from '../wrong-field.ts';
import type { Conversation } from './conversation.ts';
import { filesOf, readParts, wordsOf } from './read-parts.ts';
import type { SentTools } from './read-tools.ts';

/** An item as it was sent, or as it is kept. */
export type Item = Fields;

export interface ItemReading {
  readonly conversation: Conversation;
  readonly tools: SentTools;
}

/** Those that only another server understands are passed over. Throws `request-invalid`. */
export function readItem(item: Item, param: string, reading: ItemReading): void {
  const type = item.type ?? 'message';
  const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read) read(item, param, reading);
  else for (const id of [item.call_id, item.id]) if (typeof id === 'string') reading.conversation.passOver(id);
}

/** As a list of items, whichever way it was sent. Throws `request-invalid`. */
export function toItems(input: unknown): readonly Item[] {
  if (input === undefined || input === null) return [];
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  if (!Array.isArray(input)) throw wrongType('input', 'text, or a list of items');
  return input.map((item: unknown, at) => {
    if (isObject(item)) return item;
    throw wrongType(`input[${at}]`, 'an object');
  });
}

type Reader = (item: Item, param: string, reading: ItemReading) => void;

const readResult: Reader = ({ output, ...item }, param, { conversation }) => {
  const parts = readParts(output, `${param}.output`);
  const files = filesOf(parts);
  const result = { id: idOf(item, param), text: wordsOf(parts, '\n') };
  conversation.result(files.length > 0 ? { ...result, files } : result);
};

const readers: Readonly<Record<string, Reader>> = {
  message: readMessage,
  function_call: (item, param, { conversation, tools }) => {
    const name = nameOf(item, param);
    const input = textOf(item.arguments ?? '', `${param}.arguments`);
    conversation.call({
      type: 'tool-call',
      id: idOf(item, param),
      name: tools.offeredName(name, item.namespace),
      input: input.trim() === '' ? '{}' : input,
    });
  },
  custom_tool_call: (item, param, { conversation, tools }) => {
    const name = tools.offeredName(nameOf(item, param), item.namespace);
    const input = JSON.stringify({ input: textOf(item.input, `${param}.input`) });
    conversation.call({ type: 'tool-call', id: idOf(item, param), name, input });
  },
  function_call_output: readResult,
  custom_tool_call_output: readResult,
  // What was thought is nobody's any more: each agent thinks for itself.
  reasoning: () => {},
};

function readMessage({ role, content }: Item, param: string, { conversation }: ItemReading): void {
  const parts = readParts(content, `${param}.content`);
  if (role === 'user') conversation.user(parts);
  else if (role === 'assistant') conversation.assistant(wordsOf(parts));
  else if (role === 'system' || role === 'developer') conversation.rule(wordsOf(parts, '\n'));
  else throw new WrongField(`${param}.role`, `${param}.role must be user, assistant, system or developer.`);
}

function idOf({ call_id: id }: Item, param: string): string {
  if (typeof id === 'string' && id !== '') return id;
  throw wrongType(`${param}.call_id`, 'the id of the call');
}

function nameOf({ name }: Item, param: string): string {
  if (typeof name === 'string' && name !== '') return name;
  throw wrongType(`${param}.name`, 'the name of the tool');
}

function textOf(value: unknown, param: string): string {
  if (typeof value === 'string') return value;
  throw wrongType(param, 'text');
}
