// A conversation in which every call has its result, and every result its call: providers refuse any other.

import { callsOf, type Message, type ToolCallPart, type ToolResultPart, userMessage } from '@ai-agent/core';
import { fillers } from './providers/fillers.ts';

/** Ours always are so. One that a caller hands in may have been cut in the middle, or put together elsewhere. */
export function withResults(messages: readonly Message[]): readonly Message[] {
  if (messages.every((message, i) => isPaired(message, messages[i - 1], messages[i + 1]))) return messages;
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const paired: Message[] = [];
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (first === -1 || i < first) paired.push(...message.content.map(inWords));
      continue;
    }
    paired.push(message);
    if (message.role === 'assistant') paired.push(...answered(callsOf(message), resultsAfter(messages, i)));
  }
  return paired;
}

/** Those that belong to an answer: up to the next one, however much was said in between. */
function resultsAfter(messages: readonly Message[], index: number): readonly ToolResultPart[] {
  const end = messages.findIndex(({ role }, at) => at > index && role === 'assistant');
  const between = messages.slice(index, end === -1 ? undefined : end);
  return between.flatMap((message) => (message.role === 'tool' ? message.content : []));
}

function isPaired(message: Message, before: Message | undefined, after: Message | undefined): boolean {
  if (message.role === 'assistant')
    return after?.role === 'tool' || !message.content.some(({ type }) => type === 'tool-call');
  if (message.role !== 'tool') return true;
  if (before?.role !== 'assistant') return false;
  let at = 0;
  for (const part of before.content) {
    if (part.type !== 'tool-call') continue;
    if (message.content[at]?.id !== part.id) return false;
    at++;
  }
  return at === message.content.length;
}

/** Results in the order of their calls; what nobody asked for is told in words. */
function answered(calls: readonly ToolCallPart[], results: readonly ToolResultPart[]): readonly Message[] {
  const content = calls.map(({ id, name }) => results.find((result) => result.id === id) ?? missing(id, name));
  const lost = results.filter(({ id }) => !calls.some((call) => call.id === id));
  return [...(content.length === 0 ? [] : [{ role: 'tool' as const, content }]), ...lost.map(inWords)];
}

function inWords({ name, text }: ToolResultPart): Message {
  return userMessage(`${name}: ${text}`);
}

function missing(id: string, name: string): ToolResultPart {
  return { type: 'tool-result', id, name, text: fillers.noResult, isError: true };
}
