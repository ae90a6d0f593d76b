// A conversation in which every call has its result, and every result its call: providers refuse any other.

import { callsOf, type Message, type ToolResultPart, userMessage } from '@ai-agent/core';
import { fillers } from './providers/fillers.ts';

type ToolMessage = Extract<Message, { role: 'tool' }>;

/** Ours always are so. One that a caller hands in may have been cut in the middle. */
export function withResults(messages: readonly Message[]): readonly Message[] {
  if (messages.every((message, i) => isPaired(message, messages[i - 1], messages[i + 1]))) return messages;
  return messages.flatMap((message, i): readonly Message[] => {
    if (message.role === 'tool') return toPaired(message, messages[i - 1]);
    if (message.role !== 'assistant' || messages[i + 1]?.role === 'tool') return [message];
    const missing = callsOf(message).map(toMissing);
    return missing.length === 0 ? [message] : [message, { role: 'tool', content: missing }];
  });
}

function isPaired(message: Message, before: Message | undefined, after: Message | undefined): boolean {
  if (message.role === 'assistant')
    return after?.role === 'tool' || !message.content.some(({ type }) => type === 'tool-call');
  if (message.role !== 'tool') return true;
  const asked = callsIn(before);
  return (
    asked.length === message.content.length && asked.every(({ id }) => message.content.some((part) => part.id === id))
  );
}

/** Results in the order of their calls; what nobody asked for is told in words. */
function toPaired({ content }: ToolMessage, before: Message | undefined): readonly Message[] {
  const asked = callsIn(before);
  const paired = asked.map((call) => content.find(({ id }) => id === call.id) ?? toMissing(call));
  const lost = content.filter(({ id }) => !asked.some((call) => call.id === id));
  return [
    ...(paired.length === 0 ? [] : [{ role: 'tool' as const, content: paired }]),
    ...lost.map(({ name, text }) => userMessage(`${name}: ${text}`)),
  ];
}

function callsIn(message: Message | undefined) {
  return message?.role === 'assistant' ? callsOf(message) : [];
}

function toMissing({ id, name }: { readonly id: string; readonly name: string }): ToolResultPart {
  return { type: 'tool-result', id, name, text: fillers.noResult, isError: true };
}
