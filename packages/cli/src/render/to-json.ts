// JSON for stdout.

import type { Screen } from './screen.ts';

/** On one line. A terminal gets as signs what would drive it, which is the same JSON. */
export function toJson(value: unknown, { isTTY }: Pick<Screen, 'isTTY'>): string {
  const json = JSON.stringify(value);
  return isTTY ? json.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, toEscape) : json;
}

function toEscape(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
