// What a client says to its model, in words: agents hear it after their own.

import { type Agent, defaultTexts } from '@ai-agent/core';
import type { Talk } from './talk.ts';

/** Nobody can force an agent that has work of its own. Clients that read nothing but calls are lost without one. */
export function wordsToModel({ system, tools, mustCall = false }: Talk, { texts }: Agent): string {
  const { mustCall: toWish } = { ...defaultTexts, ...texts };
  const wish = mustCall && tools.length > 0 ? toWish(tools.map(({ name }) => name)) : '';
  return [system, wish].filter((words) => words.trim() !== '').join('\n\n');
}
