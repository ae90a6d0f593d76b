// What is said in a conversation: messages and their parts, the same for every provider.

import type { Json } from './json.ts';

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage {
  readonly role: 'system';
  readonly text: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly (TextPart | FilePart)[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextPart | ReasoningPart | ToolCallPart)[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly content: readonly ToolResultPart[];
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** What only the provider that wrote this part understands (item ids, signatures), keyed by provider. */
  readonly bound?: Readonly<Record<string, Json>>;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly bound?: Readonly<Record<string, Json>>;
}

export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  /** Base64, or a URL. */
  readonly data: string;
  readonly name?: string;
}

export interface ToolCallPart {
  readonly type: 'tool-call';
  /** The provider's id of the call, unique within its message. */
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON text, which may be damaged. */
  readonly input: string;
  /** The id of the batch it came in: only where calls are told, never in a conversation. */
  readonly batch?: string;
  readonly bound?: Readonly<Record<string, Json>>;
}

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  /** What the tool gave beside its text, for models that take it. */
  readonly files?: readonly FilePart[];
}

export function userMessage(text: string, attachments: readonly FilePart[] = []): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }, ...attachments] };
}

/** The words of an assistant message, without reasoning and calls. */
export function textOf(message: AssistantMessage): string {
  let text = '';
  for (const part of message.content) if (part.type === 'text') text += part.text;
  return text;
}

/** The results of one turn are one message, in the order of their calls, also when some came earlier. */
export function addResults(messages: Message[], parts: readonly ToolResultPart[]): void {
  const last = messages.at(-1);
  if (last?.role !== 'tool') {
    messages.push({ role: 'tool', content: parts });
    return;
  }
  const asked = messages.at(-2);
  const order = new Map(asked?.role === 'assistant' ? callsOf(asked).map(({ id }, i) => [id, i]) : []);
  const placeOf = ({ id }: ToolResultPart) => order.get(id) ?? -1;
  const content = [...last.content, ...parts].sort((a, b) => placeOf(a) - placeOf(b));
  messages.splice(-1, 1, { role: 'tool', content });
}

export function callsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter((part) => part.type === 'tool-call');
}
