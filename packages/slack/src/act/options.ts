// What there is to choose from as a list of Slack's shows it: where that would cut something, by numbers, which stand beside the whole of it.

import type { types } from '@slack/bolt';
import { limits } from '../blocks/limits.ts';
import { toPlain } from '../blocks/safe-text.ts';

export function toOptions(words: readonly string[]): types.PlainTextOption[] {
  const shown = areNumbered(words) ? toNumbered(words) : words;
  return shown.map((word, index) => ({
    text: { type: 'plain_text', text: toPlain(word, limits.select.optionText), emoji: false },
    value: String(index),
  }));
}

/** Whether one of them is too long for a list, or two would look the same there. */
export function areNumbered(words: readonly string[]): boolean {
  const lines = words.map(toLine);
  return new Set(lines).size < lines.length || lines.some((line) => line.length > limits.select.optionText);
}

/** Each whole, on one line, with its number. */
export function toNumbered(words: readonly string[]): readonly string[] {
  return words.map((word, index) => `${index + 1}. ${toLine(word)}`);
}

function toLine(word: string): string {
  return toPlain(word, Number.POSITIVE_INFINITY);
}
