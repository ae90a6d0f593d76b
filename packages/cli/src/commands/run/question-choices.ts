// Answers to choose from: one of them or several, by number, by word, or by the title that it is shown under.

import { isObject, type Json, type JsonSchema, oneLine } from '@ai-agent/core';
import { bounded } from './bounded.ts';

export interface Choice {
  readonly value: Json;
  /** As whoever asks calls it, where that is not the value. */
  readonly title?: string;
}

/** An answer, or a sentence about why it is none. */
export type Typed = { readonly answer: Json } | { readonly wrong: string };

/** What a value may be: `enum`, with or without names, or a list of `const` with titles. Undefined when it may be anything. */
export function choicesIn({ enum: values, enumNames, oneOf, anyOf }: JsonSchema): readonly Choice[] | undefined {
  const titles = Array.isArray(enumNames) ? enumNames : [];
  const given = Array.isArray(values)
    ? values.map((value, i) => ({ const: value, title: titles[i] }))
    : (oneOf ?? anyOf);
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const choices = given.flatMap((one) => (isObject(one) && isWord(one.const) ? [toChoice(one.const, one.title)] : []));
  return choices.length === given.length ? choices : undefined;
}

function isWord(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

export function toChoice(value: Json, title?: unknown): Choice {
  return typeof title === 'string' && title !== '' && title !== String(value) ? { value, title } : { value };
}

const longestChoice = 300;

/** A line for each. */
export function toList(choices: readonly Choice[]): readonly string[] {
  return choices.map(({ value, title }, i) => {
    const word = String(value);
    return `  ${i + 1}. ${bounded(oneLine(title === undefined ? word : `${title} (${word})`), longestChoice)}`;
  });
}

export function chooseOne(choices: readonly Choice[]) {
  const wrong = `Choose one of them: a number from 1 to ${choices.length}, or the word.`;
  return {
    prompt: `1-${choices.length}: `,
    read(line: string): Typed {
      const chosen = find(choices, line);
      return chosen ? { answer: chosen.value } : { wrong };
    },
  };
}

export function chooseSeveral(choices: readonly Choice[]) {
  return {
    prompt: `Any of 1-${choices.length}, with commas, or none: `,
    read(line: string): Typed {
      const whole = find(choices, line);
      if (whole) return { answer: [whole.value] };
      if (/^none$/i.test(line)) return { answer: [] };
      const words = line.split(',').map((word) => word.trim());
      const chosen = words.filter((word) => word !== '').map((word) => find(choices, word)?.value ?? null);
      const wrong = `Choose among them: numbers from 1 to ${choices.length} or words, with commas between, or none.`;
      return chosen.includes(null) ? { wrong } : { answer: [...new Set(chosen)] };
    },
  };
}

/** Words first: they may be numbers too. */
function find(choices: readonly Choice[], line: string): Choice | undefined {
  const word = line.trim().toLowerCase();
  const isSame = (text: unknown) => String(text).trim().toLowerCase() === word;
  return (
    choices.find(({ value }) => String(value) === line) ??
    choices.find(({ value }) => isSame(value)) ??
    choices.find(({ title }) => title !== undefined && isSame(title)) ??
    (/^\d+$/.test(line) ? choices[Number(line) - 1] : undefined)
  );
}
