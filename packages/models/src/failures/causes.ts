// What led to an error, kept small: its words, and nothing of the request, of the answer, or of any key in them.

import { isObject } from '@ai-agent/core';
import { AISDKError } from '@ai-sdk/provider';
import { strikeOut } from './secrets.ts';

const maxName = 200;
const maxMessage = 2000;
const maxStack = 4000;
const maxCauses = 5;

/**
 * Errors of provider packages hold the whole conversation, and whatever the provider wrote. Whoever keeps or prints a
 * failure gets of each error in its chain the name, the message, the code, the status and the stack.
 */
export function toCause(error: unknown, forms: readonly string[]): Error | undefined {
  return chainOf(error)
    .slice(0, maxCauses)
    .reduceRight<Error | undefined>((cause, one) => copyOf(one, cause, forms), undefined);
}

/** The error and its causes, outermost first. */
export function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && next !== null && !chain.includes(next) && chain.length < 20; ) {
    chain.push(next);
    next = typeof next === 'object' ? (next as { cause?: unknown }).cause : undefined;
  }
  return chain;
}

/** The first thing it says of itself; empty when it says nothing. */
export function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, code, name } = isObject(error) ? error : ({} as Record<string, unknown>);
  const found = [message, code, name].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof found === 'string' ? found : '';
}

export function bounded(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function copyOf(error: unknown, cause: Error | undefined, forms: readonly string[]): Error {
  const clean = (text: string, length: number) => bounded(strikeOut(text, forms), length);
  const { code, status, statusCode = status, stack } = isObject(error) ? error : ({} as Record<string, unknown>);
  const copy = new AISDKError({
    name: clean(error instanceof Error ? error.name : 'Error', maxName),
    message: clean(textOf(error), maxMessage),
    ...(cause ? { cause } : {}),
  });
  if (typeof stack === 'string') copy.stack = clean(stack, maxStack);
  return Object.assign(copy, {
    ...(typeof code === 'string' ? { code: clean(code, maxName) } : {}),
    ...(typeof statusCode === 'number' ? { status: statusCode } : {}),
  });
}
