// What models and tools wrote, as clients are told it in passing: on one line, and not long.

import { oneLine } from '@ai-agent/core';

const mostCharacters = 500;

/** Never splits a character. */
export function bounded(text: string): string {
  // What is far beyond the bound is not even looked at.
  const line = oneLine(text.slice(0, 4 * mostCharacters));
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
