// What stands in a thread, as a test asks for it: its words, its buttons, and what those are about.
import type { ModelRequest } from '@ai-agent/core';
import { elementsOf } from './interactions.ts';
import { textOf, thingOf } from './values.ts';
import type { Message } from './workspace.ts';

export interface About {
  readonly session: string;
  readonly round: number;
  readonly asker: string;
}

/** A message, a view, or what is not there. */
type Shown = Pick<Message, 'blocks'> | undefined;

/** Whether some message has these words and has ended: there is something to do about it. */
export function isAnswered(messages: readonly Message[], words: string): boolean {
  return findAnswer(messages, words) !== undefined;
}

export function findAnswer(messages: readonly Message[], words: string): Message | undefined {
  return messages.find((message) => wordsOf(message).includes(words) && buttonsOf(message).includes('Retry'));
}

/** Every word that is read in it, without its buttons: a line for each block. */
export function wordsOf(shown: Shown): string {
  const blocks = shown?.blocks ?? [];
  return blocks
    .filter(({ type }) => type !== 'actions')
    .map((block) => textsIn(block).join(''))
    .join('\n');
}

/** What its buttons say. */
export function buttonsOf(shown: Shown): readonly string[] {
  return elementsOf(shown ?? { blocks: [] }).map(({ element }) => textOf(thingOf(element.text).text));
}

/** What its first button is about. */
export function aboutOf(shown: Shown): About | undefined {
  const [first] = elementsOf(shown ?? { blocks: [] });
  return first ? (JSON.parse(textOf(first.element.value)) as About) : undefined;
}

/** Who said what to a model, in order. */
export function saidTo({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role === 'system') return [`system: ${message.text}`];
    return message.content.map((part) => `${message.role}: ${'text' in part ? part.text : part.type}`);
  });
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) =>
    key === 'text' && typeof inside === 'string' ? [inside] : textsIn(inside),
  );
}
