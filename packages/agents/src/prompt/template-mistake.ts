// What Liquid complains about, in our words and with the line of the file it is in.

import { nearest } from '@ai-agent/core';
import type { Liquid, LiquidError, LiquidErrors } from 'liquidjs';
import { type Source, toLineFinder } from './source.ts';

export interface Mistake {
  readonly source: Source;
  /** Of the file. */
  readonly line: number;
  readonly message: string;
}

export interface MistakeContext {
  readonly liquid: Liquid;
  readonly sources: Iterable<Source>;
  /** Where it is, if nothing says more. */
  readonly at: Source;
}

export function toMistakes(error: unknown, context: MistakeContext): Mistake[] {
  return flatten(error)
    .slice(0, MAX_MISTAKES)
    .map((each) => toMistake(each, context))
    .filter(({ message }, index) => index === 0 || !isAftermath(message));
}

/** Whoever has more will load again. */
const MAX_MISTAKES = 100;

/** Liquid wraps lists of errors in errors. */
function flatten(error: unknown): unknown[] {
  if (!isLiquidErrors(error)) return [error];
  return error.errors.flatMap(flatten);
}

function isLiquidErrors(error: unknown): error is LiquidErrors {
  return error instanceof Error && error.name === 'LiquidErrors';
}

function toMistake(error: unknown, context: MistakeContext): Mistake {
  const words = error instanceof Error ? error.message : String(error);
  if (!hasToken(error))
    return { source: context.at, line: context.at.firstLine, message: inWords(words, context.liquid) };
  const plain = error.originalError?.message ?? words;
  const message = plain.replace(/(?:, file:.*)?, line:\d+, col:\d+$/s, '');
  return { ...locate(error, context), message: inWords(message, context.liquid) };
}

function hasToken(error: unknown): error is LiquidError {
  return error instanceof Error && 'token' in error && typeof error.token === 'object';
}

/** By the text of the token: not every token knows its file, and a path in quotes is parsed on its own. */
function locate({ token }: LiquidError, { sources, at }: MistakeContext): Omit<Mistake, 'message'> {
  const all = [at, ...sources];
  const whole = all.find(({ template }) => template === token.input);
  if (whole) return { source: whole, line: toLineFinder(whole)(token.begin) };
  const around = all.find(({ template }) => template.includes(token.input)) ?? at;
  return { source: around, line: toLineFinder(around)(around.template.indexOf(token.input)) };
}

function inWords(message: string, { filters, tags }: Liquid): string {
  const filter = /^undefined filter: (.*)$/s.exec(message)?.[1];
  if (filter !== undefined) return `found the filter ${filter}, ${notKnown(filter, Object.keys(filters))}`;
  const tag = /^tag "(.*)" not found$/s.exec(message)?.[1];
  if (tag !== undefined) return `found the tag ${tag}, ${notKnown(tag, Object.keys(tags))}`;
  const variable = /^undefined variable: (.*)$/s.exec(message)?.[1];
  if (variable !== undefined) return `found ${variable}, which has no value here`;
  if (/limit exceeded$|^Invalid (?:string|array) length$|call stack/.test(message))
    return `found a template that takes too much time or memory (${message})`;
  return `found a template that is wrong: ${message}`;
}

function notKnown(word: string, known: readonly string[]): string {
  const close = nearest(word, known);
  return `which is not known here${close === undefined ? '' : ` (did you mean ${close}?)`}`;
}

/** When a tag could not be read, what belongs to it is left over. */
function isAftermath(message: string): boolean {
  return /^found the tag (?:end\w*|else|elsif|when),/.test(message);
}

export function unknownVariable(name: string, known: readonly string[]): string {
  return `found the variable ${name}, ${notKnown(name, known)}; known are ${known.join(', ')}`;
}
