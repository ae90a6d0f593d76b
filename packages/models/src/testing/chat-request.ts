// A chat-completions request on the wire, read back into our own request.

import {
  AgentError,
  type AssistantMessage,
  isObject,
  type Message,
  type ModelRequest,
  type UserMessage,
} from '@ai-agent/core';
import { toRepeatPenalty } from '../to-prompt.ts';

export interface ChatRequest {
  readonly model?: string;
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { name: string; description?: string; parameters?: object } }[];
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema?: object } };
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly frequency_penalty?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly ChatPart[] | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

interface ChatPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** The wire says less than we do: a tool result that is an error looks like any other. */
export function toModelRequest(wire: ChatRequest): ModelRequest {
  const messages = [...(wire.messages ?? [])];
  const system = messages[0] && isSystem(messages[0]) ? textOf(messages.shift()?.content) : '';
  return {
    system,
    messages: toMessages(messages),
    tools: (wire.tools ?? []).map(({ function: { name, description = '', parameters = {} } }) => ({
      name,
      description,
      inputSchema: { ...parameters },
    })),
    output: toOutput(wire.response_format),
    settings: {
      ...(wire.max_tokens === undefined ? {} : { maxOutputTokens: wire.max_tokens }),
      ...(wire.temperature === undefined ? {} : { temperature: wire.temperature }),
      ...(wire.top_p === undefined ? {} : { topP: wire.top_p }),
      ...(wire.top_k === undefined ? {} : { topK: wire.top_k }),
      ...(wire.frequency_penalty === undefined ? {} : { repeatPenalty: toRepeatPenalty(wire.frequency_penalty) }),
      ...(wire.seed === undefined ? {} : { seed: wire.seed }),
      ...(wire.stop === undefined ? {} : { stopSequences: wire.stop }),
    },
  };
}

function toMessages(wire: readonly ChatMessage[]): Message[] {
  const messages: Message[] = [];
  const names = new Map<string, string>();
  for (const message of wire) {
    for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
    const last = messages.at(-1);
    // The results of one turn are one message with us, and one message each on the wire.
    if (message.role === 'tool' && last?.role === 'tool') {
      messages[messages.length - 1] = { role: 'tool', content: [...last.content, toResult(message, names)] };
    } else messages.push(toMessage(message, names));
  }
  return messages;
}

function toMessage(message: ChatMessage, names: ReadonlyMap<string, string>): Message {
  if (isSystem(message)) return { role: 'system', text: textOf(message.content) };
  if (message.role === 'tool') return { role: 'tool', content: [toResult(message, names)] };
  if (message.role === 'user') return { role: 'user', content: toUserContent(message.content) };
  if (message.role === 'assistant') return { role: 'assistant', content: toAssistantContent(message) };
  throw new AgentError('session-input-invalid', `There is no role ${message.role} in a conversation.`);
}

function isSystem({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer';
}

function toUserContent(content: ChatMessage['content']): UserMessage['content'] {
  if (!Array.isArray(content)) return [{ type: 'text', text: textOf(content) }];
  return content.map((part: ChatPart) =>
    part.image_url
      ? { type: 'file', mediaType: 'image/*', data: part.image_url.url }
      : { type: 'text', text: part.text ?? '' },
  );
}

function toAssistantContent(message: ChatMessage): AssistantMessage['content'] {
  const { reasoning_content: reasoning, tool_calls: calls = [] } = message;
  const text = textOf(message.content);
  return [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...calls.map(({ id, function: { name, arguments: input } }) => ({ type: 'tool-call' as const, id, name, input })),
  ];
}

function toResult({ tool_call_id: id = '', content }: ChatMessage, names: ReadonlyMap<string, string>) {
  return { type: 'tool-result' as const, id, name: names.get(id) ?? '', text: textOf(content), isError: false };
}

function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

function toOutput(format: ChatRequest['response_format']): ModelRequest['output'] {
  if (!format || format.type === 'text') return { format: 'text' };
  const schema = format.json_schema?.schema;
  return { format: 'json', ...(isObject(schema) ? { schema } : {}) };
}
