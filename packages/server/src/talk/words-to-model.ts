// What a client says to its model, in words: agents hear it after their own.

import type { ClientTool, Talk } from './talk.ts';

export function wordsToModel({ system, tools, mustCall = false }: Talk): string {
  const wish = mustCall && tools.length > 0 ? toWish(tools) : '';
  return [system, wish].filter((words) => words.trim() !== '').join('\n\n');
}

/** Nobody can force an agent that has work of its own. Clients that read nothing but calls are lost without one. */
function toWish(tools: readonly ClientTool[]): string {
  const names = tools.map(({ name }) => name);
  const which = names.length === 1 ? `the tool ${names[0]}` : `one of the tools ${names.join(', ')}`;
  return `Whoever asks reads no text of yours: when your work is done, call ${which}.`;
}
