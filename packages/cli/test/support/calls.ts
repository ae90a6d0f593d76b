// What scripts of agents say again and again: a call of a sub-agent, and what the last calls came to.

import type { ModelRequest } from '@ai-agent/cli';
import type { ScriptedCall } from '@ai-agent/cli/testing';

export function call(name: string, input: object = {}): ScriptedCall {
  return { name, input: { reason: 'r', ...input } };
}

/** The results that the model has not answered yet, in order; none when it was asked something else last. */
export function resultsIn({ messages }: ModelRequest): readonly string[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return since.flatMap((message) => (message.role === 'tool' ? message.content.map(({ text }) => text) : []));
}

/** The handle of the question that a sub-agent asks in the last results. */
export function handleIn(request: ModelRequest): string {
  return /"resume": "([^"]+)"/.exec(resultsIn(request).join('\n'))?.[1] ?? 'no handle';
}

/** What the session was asked first. */
export function promptIn({ messages: [first] }: ModelRequest): string {
  return first?.role === 'user' && first.content[0]?.type === 'text' ? first.content[0].text : '';
}

export const anyArguments = { type: 'object' } as const;
