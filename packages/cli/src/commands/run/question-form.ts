// A question as a person reads it, and what they type as the answer that it wants.

import { isObject, type Json, type JsonObject, oneLine, type Question } from '@ai-agent/core';
import { toPrintable } from '../../render/printable.ts';

export interface Form {
  readonly lines: readonly string[];
  readonly prompt: string;
  /** What an empty line means; without it, nothing yet. */
  readonly empty?: Json;
  read(line: string): Typed;
}

/** An answer, or a sentence about why it is none. */
export type Typed = { readonly answer: Json } | { readonly wrong: string };

export function toForm(question: Question): Form {
  if (question.type === 'approval') return approval(question);
  const lines = [`${oneLine(question.agentName)} asks:`, ...paragraph(question.text)];
  const choices = question.choices ?? choicesIn(question.schema);
  if (choices) return { ...choice(choices), lines: [...lines, ...choices.map(numbered)] };
  const { type } = (question.schema ?? { type: 'string' }) as { readonly type?: unknown };
  if (type === 'string') return { lines, prompt: '> ', read: (line) => ({ answer: line }) };
  if (type === 'boolean') return { lines, prompt: '[yes/no] ', read: readYes };
  if (type === 'number' || type === 'integer') return { lines, prompt: 'A number: ', read: readNumber };
  const wanted = `The answer is JSON: ${bounded(oneLine(JSON.stringify(question.schema)), 500)}`;
  return { lines: [...lines, wanted], prompt: 'JSON: ', read: (line) => readJson(line, type) };
}

const longestText = 4_000;
const longestArgument = 300;
const mostArguments = 20;

/** Set in, so that no text of a model can pass for a line of ours. */
function paragraph(text: string): readonly string[] {
  return bounded(toPrintable(text), longestText)
    .split('\n')
    .map((line) => `  ${line}`);
}

export function bounded(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)} … (${text.length - longest} characters more)`;
}

function choicesIn(schema: Question['schema']): readonly string[] | undefined {
  const { enum: values } = (schema ?? {}) as { readonly enum?: unknown };
  const isList = Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string');
  return isList ? (values as string[]) : undefined;
}

function numbered(text: string, i: number): string {
  return `  ${i + 1}. ${bounded(oneLine(text), longestArgument)}`;
}

function choice(choices: readonly string[]): Omit<Form, 'lines'> {
  return {
    prompt: `1-${choices.length}: `,
    read(line) {
      const word = line.toLowerCase();
      // Words first: they may be numbers too.
      const chosen =
        choices.find((text) => text === line) ??
        choices.find((text) => text.trim().toLowerCase() === word) ??
        (/^\d+$/.test(line) ? choices[Number(line) - 1] : undefined);
      if (chosen !== undefined) return { answer: chosen };
      return { wrong: `Choose one of them: a number from 1 to ${choices.length}, or the word.` };
    },
  };
}

function readYes(line: string): Typed {
  if (/^(y|yes|true)$/i.test(line)) return { answer: true };
  return /^(n|no|false)$/i.test(line) ? { answer: false } : { wrong: 'Answer yes or no.' };
}

function readNumber(line: string): Typed {
  const number = Number(line);
  return Number.isFinite(number) ? { answer: number } : { wrong: 'Answer with a number.' };
}

/** A form that takes texts too, or says nothing about it, is left to judge by itself. */
function readJson(line: string, type: unknown): Typed {
  if (type !== 'object' && type !== 'array') return { answer: line };
  try {
    return { answer: JSON.parse(line) as Json };
  } catch {
    return { wrong: 'This is not JSON. Write it on one line.' };
  }
}

function approval({ agentName, text, call }: Question): Form {
  const asked = call
    ? [`${oneLine(agentName)} wants to call ${oneLine(call.tool)}:`, ...argumentLines(call.args)]
    : [`${oneLine(agentName)} asks for leave:`, ...paragraph(text)];
  const deny = (reason: string): JsonObject => ({ isApproved: false, reason });
  return {
    lines: asked,
    prompt: 'Allow it? [y/N] ',
    empty: deny(''),
    read(line) {
      if (/^(y|yes)$/i.test(line)) return { answer: true };
      const [, reason] = /^(?:no|n)(?:[\s,.:;-]+(?:because\s+)?(.*))?$/i.exec(line) ?? [undefined, undefined];
      if (reason !== undefined || /^(n|no)$/i.test(line)) return { answer: deny(reason ?? '') };
      return { wrong: 'Answer y or n; after n you may say why.' };
    },
  };
}

function argumentLines(args: JsonObject): readonly string[] {
  const all = Object.entries(isObject(args) ? args : {});
  const shown = all
    .slice(0, mostArguments)
    .map(([name, value]) => `  ${oneLine(name)}: ${bounded(oneLine(JSON.stringify(value)), longestArgument)}`);
  if (all.length === 0) return ['  (no arguments)'];
  return all.length > mostArguments ? [...shown, `  … and ${all.length - mostArguments} arguments more`] : shown;
}
