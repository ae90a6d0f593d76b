// A conversation by what was said in it: the same whichever way a client writes it down.

import type { Message } from '@ai-agent/core';

/** Of one visitor with one agent. What clients tend to change between two requests is no part of it: blanks, and how a text is cut into parts. */
export function hashOfTalk(whose: string, agent: string, messages: readonly Message[]): string {
  const said: (readonly [kind: string, what: string])[] = [];
  for (const [kind, what] of messages.flatMap(toSaid)) {
    const [before, text] = said.at(-1) ?? [];
    if (kind === before && isText.has(kind)) said[said.length - 1] = [kind, `${text}${what}`];
    else if (what !== '') said.push([kind, what]);
  }
  return process.getBuiltinModule('node:crypto').hash('sha256', JSON.stringify([whose, agent, said]));
}

const isText = new Set<string>(['user', 'assistant', 'system']);

function toSaid(message: Message): readonly (readonly [kind: string, what: string])[] {
  const { role } = message;
  if (role === 'system') return [[role, withoutBlanks(message.text)]];
  return message.content.flatMap((part): ReturnType<typeof toSaid> => {
    if (part.type === 'reasoning') return [];
    if (part.type === 'text') return [[role, withoutBlanks(part.text)]];
    return part.type === 'file' ? [['file', part.data]] : [[part.type, part.id]];
  });
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
