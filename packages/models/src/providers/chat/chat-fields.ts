// Fields of a chat completion, read from what servers really send.

import { isObject } from '@ai-agent/core';
import { InvalidResponseDataError } from '@ai-sdk/provider';

/** A field of the wrong type: what else in the reply can be believed, nobody knows. */
export function invalid(data: unknown, field: string): InvalidResponseDataError {
  return new InvalidResponseDataError({ data, message: `The field ${field} of the reply is not what it should be.` });
}

/** The text of a field, empty when it is missing. */
export function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value !== 'string') throw invalid(fields, name);
  return value;
}

/** Servers write errors into answers that began well, and where an answer should be. Each is thrown with the usage beside it. */
export function throwIfError(body: Readonly<Record<string, unknown>>): void {
  const { choices, usage } = body;
  if (body.error) throw isObject(body.error) ? { ...body.error, usage } : { message: String(body.error), usage };
  if (body.object === 'error') throw body;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (isObject(choice) && isObject(choice.error)) throw { ...choice.error, usage };
}

/** What servers get wrong without harm, put right: a complete reply is worth more than its figures. */
export function mended(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { id, model, choices, usage } = body;
  const prefix = typeof id === 'string' && id !== '' ? id : 'call';
  return {
    ...(typeof model === 'string' ? { model } : {}),
    choices: Array.isArray(choices) ? choices.slice(0, 1).map((choice) => mendedChoice(choice, prefix)) : choices,
    usage: figuresIn(usage),
  };
}

function mendedChoice(choice: unknown, prefix: string): unknown {
  if (!isObject(choice) || !isObject(choice.message) || !Array.isArray(choice.message.tool_calls)) return choice;
  const seen = new Set<unknown>();
  const calls = choice.message.tool_calls.map((call: unknown, i) => {
    if (!isObject(call) || !isObject(call.function)) return call;
    const { id, function: part } = call;
    const unique = id && !seen.has(id) ? id : `${prefix}_${i + 1}`;
    seen.add(unique);
    const input = isObject(part.arguments) ? JSON.stringify(part.arguments) : part.arguments;
    return { ...call, id: unique, function: { ...part, arguments: input } };
  });
  return { ...choice, message: { ...choice.message, tool_calls: calls } };
}

/** What is not a number is not said. */
export function figuresIn(usage: unknown): Record<string, unknown> | undefined {
  if (!isObject(usage)) return undefined;
  const figures = Object.entries(usage).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'number') return [[name, value]];
    return isObject(value) ? [[name, figuresIn(value)]] : [];
  });
  return Object.fromEntries(figures);
}
