// A conversation in the order that the Gemini API insists on: a user begins, and the two take turns.

import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { fillers } from '../fillers.ts';

type Content<Role> = Extract<LanguageModelV4Message, { role: Role }>['content'];

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
  if (turns[0]?.role === 'user') return [...system, ...turns];
  return [...system, userText(turns.length === 0 ? fillers.nothing : fillers.beginning), ...turns];
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
