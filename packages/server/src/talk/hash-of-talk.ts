// A conversation by what was said in it: the same whichever way a client writes it down.

import type { Message } from '@ai-agent/core';

/** Of one key with one agent. What clients tend to change between two requests is not part of it: blanks around what was said. */
export function hashOfTalk(owner: string | null, agent: string, messages: readonly Message[]): string {
  const said = JSON.stringify([owner, agent, ...messages.map(toSaid)]);
  return process.getBuiltinModule('node:crypto').hash('sha256', said);
}

function toSaid(message: Message): readonly unknown[] {
  if (message.role === 'system') return ['system', message.text.trim()];
  const words = message.content.flatMap((part): readonly unknown[] => {
    if (part.type === 'reasoning') return [];
    if (part.type === 'tool-call') return [['call', part.id]];
    if (part.type === 'file') return [['file', part.data]];
    return part.type === 'tool-result' ? [['result', part.id]] : [part.text.trim()];
  });
  return [message.role, ...words.filter((word) => word !== '')];
}
