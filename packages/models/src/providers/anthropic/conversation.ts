// A conversation as this API takes it: what it would refuse is left out, or put so that it does not.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { fillers } from '../fillers.ts';

type Said = Exclude<LanguageModelV4Message, { role: 'system' }>;
type UserMessage = Extract<Said, { role: 'user' }>;
type AssistantMessage = Extract<Said, { role: 'assistant' }>;
type ToolMessage = Extract<Said, { role: 'tool' }>;

export function toAcceptable(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const start = prompt.findIndex(({ role }) => role !== 'system');
  const [head, rest] = start === -1 ? [prompt, []] : [prompt.slice(0, start), prompt.slice(start)];
  return [
    ...head.filter(({ role, content }) => role === 'system' && isSaid(content)),
    ...betweenUsers(resultsFirst(rest.map(toSaid).filter(({ content }) => content.length > 0))),
  ];
}

/** Instructions in the middle are for newer models only: to all others the user says them. */
function toSaid(message: LanguageModelV4Message): Said {
  switch (message.role) {
    case 'system':
      return withoutBlanks({ role: 'user', content: [{ type: 'text', text: message.content }] });
    case 'user':
      return withoutBlanks(message);
    case 'assistant':
      return { ...message, content: withoutLastThought(message.content.filter(isSayable)) };
    case 'tool':
      return { ...message, content: message.content.map(withReason) };
  }
}

function withoutBlanks(message: UserMessage): UserMessage {
  const content = message.content.filter((part) => part.type !== 'text' || isSaid(part.text));
  return { ...message, content: content.map((part) => (part.type === 'file' ? toKnownType(part) : part)) };
}

/** A thought goes back with its signature, or in the form the provider made unreadable, or not at all. */
function isSayable(part: AssistantMessage['content'][number]): boolean {
  if (part.type === 'text') return isSaid(part.text);
  return part.type !== 'reasoning' || isSigned(part);
}

/** A thought that led to nothing is refused. */
function withoutLastThought(content: AssistantMessage['content']): AssistantMessage['content'] {
  return content.slice(0, content.findLastIndex(({ type }) => type !== 'reasoning') + 1);
}

export function isSigned(part: AssistantMessage['content'][number]): boolean {
  const own = part.type === 'reasoning' ? part.providerOptions?.anthropic : undefined;
  return isObject(own) && [own.signature, own.redactedData].some((text) => typeof text === 'string' && text !== '');
}

/** An error without a word is refused. */
function withReason(part: ToolMessage['content'][number]): ToolMessage['content'][number] {
  if (part.type !== 'tool-result' || part.output.type !== 'error-text' || isSaid(part.output.value)) return part;
  return { ...part, output: { ...part.output, value: fillers.failed } };
}

/** Results stand directly after their calls, before anything else the user says. */
function resultsFirst(messages: readonly Said[]): readonly Said[] {
  const ordered: Said[] = [];
  for (const message of messages) {
    const answer = ordered.findLastIndex(({ role }) => role !== 'user');
    ordered.splice(message.role === 'tool' ? answer + 1 : ordered.length, 0, message);
  }
  return ordered;
}

/** The user has the first word and the last; newer models refuse to continue what they are said to have begun. */
function betweenUsers(messages: readonly Said[]): readonly Said[] {
  const said = messages[0]?.role === 'user' ? messages : [userSays(fillers.beginning), ...messages];
  return said.at(-1)?.role === 'assistant' ? [...said, userSays(fillers.goOn)] : said;
}

function userSays(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function isSaid(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}

/** Whatever is text goes as plain text, the one kind there is. */
function toKnownType(part: LanguageModelV4FilePart): LanguageModelV4FilePart {
  const type = part.mediaType.toLowerCase().split(';')[0]?.trim() ?? '';
  if (type === 'image/jpg') return { ...part, mediaType: 'image/jpeg' };
  const isText = /^text\/|^application\/((.*\+)?(json|xml)|x?-?yaml|javascript|toml)$/.test(type);
  return { ...part, mediaType: isText && part.data.type === 'data' ? 'text/plain' : type };
}
