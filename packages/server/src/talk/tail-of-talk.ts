// How a conversation ends: with what a user says now, and perhaps with results of calls before that.

import type { FilePart, Message, ToolMessage, ToolResultPart, UserMessage } from '@ai-agent/core';

export interface Tail {
  /** All before it. */
  readonly before: readonly Message[];
  /** Results of the calls that stand last in `before`. */
  readonly results?: ToolMessage | undefined;
  /** The same with those before them between which nobody has said anything: some clients tell calls and results one by one. */
  readonly returned: readonly ToolResultPart[];
  /** What was said last, in the order it was said. */
  readonly said: readonly UserMessage[];
}

export function tailOf(messages: readonly Message[]): Tail {
  const from = messages.findLastIndex(({ role }) => role !== 'user') + 1;
  const said = messages.slice(from).filter((message) => message.role === 'user');
  const last = messages[from - 1];
  if (last?.role !== 'tool') return { before: messages.slice(0, from), returned: [], said };
  const returned = messages.slice(startOfCalls(messages, from)).flatMap(resultsIn);
  return { before: messages.slice(0, from - 1), results: last, returned, said };
}

/** Where the calls begin whose results end there, without a word between them. */
function startOfCalls(messages: readonly Message[], end: number): number {
  let at = end;
  while (at > 0 && isWordless(messages[at - 1])) at--;
  return at;
}

function isWordless(message: Message | undefined): boolean {
  if (message?.role === 'tool') return true;
  return message?.role === 'assistant' && message.content.every((part) => part.type === 'tool-call');
}

function resultsIn(message: Message): readonly ToolResultPart[] {
  return message.role === 'tool' ? message.content : [];
}

export function wordsOf(said: readonly UserMessage[]): string {
  const words = said.flatMap(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')));
  return words.filter((word) => word.trim() !== '').join('\n\n');
}

export function filesOf(said: readonly UserMessage[]): readonly FilePart[] {
  return said.flatMap(({ content }) => content.filter((part) => part.type === 'file'));
}

/** Clients tell of no more things at once. */
const mostAnswers = 16;

/** What may be meant as an answer: all that was said, or else one piece of it, where a client tells of other things beside it. */
export function answersIn(said: readonly UserMessage[]): readonly string[] {
  const pieces = said.map(({ content }) => content.map((part) => (part.type === 'text' ? part.text.trim() : '')));
  return [...new Set([wordsOf(said).trim(), ...pieces.flat().filter(Boolean)])].slice(0, mostAnswers);
}
