// Calls that an assistant made earlier in the conversation, as a client gives them back.

import { isObject, type ToolCallPart } from '@ai-agent/core';
import type { Fields } from '../read-object.ts';
import { missingField, WrongField, wrongType } from '../wrong-field.ts';

/** Of an assistant's message. Throws `request-invalid`. */
export function readCalls(message: Fields, param: string): readonly ToolCallPart[] {
  const { tool_calls: given, function_call: only } = message;
  if (given === undefined || given === null) return isGiven(only) ? [readOnlyCall(only, param)] : [];
  if (!Array.isArray(given)) throw wrongType(`${param}.tool_calls`, 'a list of calls');
  const calls = given.map((call, index) => readCall(call, `${param}.tool_calls[${index}]`));
  const last = new Map(calls.map(({ id }, index) => [id, index]));
  const twice = last.size < calls.length ? calls.findIndex(({ id }, index) => last.get(id) !== index) : -1;
  if (twice >= 0)
    throw new WrongField(
      `${param}.tool_calls[${last.get(calls[twice]?.id ?? '')}].id`,
      `Two calls of ${param} have the id ${calls[twice]?.id}.`,
    );
  return calls;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readCall(call: unknown, param: string): ToolCallPart {
  if (!isObject(call)) throw wrongType(param, 'a call');
  const { id, type = 'function' } = call;
  if (!isGiven(id)) throw missingField(`${param}.id`);
  if (typeof id !== 'string') throw wrongType(`${param}.id`, 'text');
  if (type === 'custom') {
    const { name, input } = readInner(call.custom, `${param}.custom`);
    return toPart(id, name, JSON.stringify({ input: typeof input === 'string' ? input : '' }));
  }
  if (type !== 'function') throw new WrongField(`${param}.type`, `${param}.type must be function or custom.`);
  const { name, arguments: input } = readInner(call.function, `${param}.function`);
  return toPart(id, name, input);
}

/** As it was before there could be several: it has no id, so it has that of its message. */
function readOnlyCall(call: unknown, param: string): ToolCallPart {
  const { name, arguments: input } = readInner(call, `${param}.function_call`);
  return toPart(`${param}.function_call`, name, input);
}

function readInner(inner: unknown, param: string): Fields & { readonly name: string } {
  if (!isGiven(inner)) throw missingField(param);
  if (!isObject(inner)) throw wrongType(param, 'an object with a name');
  const { name } = inner;
  if (!isGiven(name)) throw missingField(`${param}.name`);
  if (typeof name !== 'string') throw wrongType(`${param}.name`, 'text');
  return { ...inner, name };
}

/** Some clients give back the arguments read. */
function toPart(id: string, name: string, input: unknown): ToolCallPart {
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return { type: 'tool-call', id, name, input: text };
}
