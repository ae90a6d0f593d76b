// A conversation in the order that the Gemini API insists on: a user begins, calls follow a user, every call has its result.

import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { fillers } from '../fillers.ts';

type Content<Role> = Extract<LanguageModelV4Message, { role: Role }>['content'];
type Call = Extract<Content<'assistant'>[number], { type: 'tool-call' }>;
type Result = Extract<Content<'tool'>[number], { type: 'tool-result' }>;

/** Messages of one side become one, what is empty goes; the system prompt stays in front. */
export function toTurns(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const system = prompt.filter((message, i) => message.role === 'system' && isInFront(prompt, i));
  const turns: LanguageModelV4Message[] = [];
  for (const message of prompt.slice(system.length)) {
    const spoken = toSpoken(message);
    if (!spoken || spoken.content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === spoken.role) turns.splice(-1, 1, join(last, spoken));
    else turns.push(spoken);
  }
  const paired = turns.flatMap((turn, i) => withResults(turn, turns[i - 1], turns[i + 1]));
  if (paired[0]?.role === 'user') return [...system, ...paired];
  return [...system, userText(paired.length === 0 ? fillers.nothing : fillers.beginning), ...paired];
}

function isInFront(prompt: LanguageModelV4Prompt, index: number): boolean {
  return prompt.slice(0, index).every(({ role }) => role === 'system');
}

/** Later words of the system are said by the user: there is no other place for them. */
function toSpoken(message: LanguageModelV4Message): Exclude<LanguageModelV4Message, { role: 'system' }> | undefined {
  switch (message.role) {
    case 'system':
      return message.content === '' ? undefined : userText(message.content);
    case 'user':
      return { ...message, content: message.content.filter((part) => part.type !== 'text' || part.text !== '') };
    case 'assistant':
      return { ...message, content: message.content.filter(isSaid) };
    case 'tool':
      return message;
  }
}

/** An empty part may carry a signature. */
function isSaid(part: Content<'assistant'>[number]): boolean {
  return (part.type !== 'text' && part.type !== 'reasoning') || part.text !== '' || part.providerOptions !== undefined;
}

function userText(text: string): Extract<LanguageModelV4Message, { role: 'user' }> {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function join(one: LanguageModelV4Message, other: LanguageModelV4Message): LanguageModelV4Message {
  return { ...one, content: [...one.content, ...other.content] } as LanguageModelV4Message;
}

/** Each call gets one result, in the order of the calls; a result whose call is gone is told in words. */
function withResults(
  turn: LanguageModelV4Message,
  before: LanguageModelV4Message | undefined,
  after: LanguageModelV4Message | undefined,
): readonly LanguageModelV4Message[] {
  if (turn.role === 'assistant') {
    const calls = callsIn(turn);
    return calls.length === 0 || after?.role === 'tool' ? [turn] : [turn, resultsOf(calls, [])];
  }
  if (turn.role !== 'tool') return [turn];
  const calls = callsIn(before);
  const results = turn.content.filter((part) => part.type === 'tool-result');
  const lost = results.filter(({ toolCallId }) => !calls.some((call) => call.toolCallId === toolCallId));
  return [
    ...(calls.length === 0 ? [] : [resultsOf(calls, results)]),
    ...(lost.length === 0 ? [] : [userText(lost.map(inWords).join('\n\n'))]),
  ];
}

function callsIn(message: LanguageModelV4Message | undefined): readonly Call[] {
  return message?.role === 'assistant' ? message.content.filter((part) => part.type === 'tool-call') : [];
}

function resultsOf(calls: readonly Call[], results: readonly Result[]): LanguageModelV4Message {
  return {
    role: 'tool',
    content: calls.map(
      ({ toolCallId, toolName }) =>
        results.find((result) => result.toolCallId === toolCallId) ?? {
          type: 'tool-result',
          toolCallId,
          toolName,
          output: { type: 'error-text', value: fillers.noResult },
        },
    ),
  };
}

function inWords({ toolName, output }: Result): string {
  return `${toolName}: ${'value' in output && typeof output.value === 'string' ? output.value : ''}`;
}
