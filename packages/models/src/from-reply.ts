// A provider's whole answer as our reply: what was said, why it ended, and what it cost.

import {
  AgentError,
  type AssistantMessage,
  type FinishReason,
  type Json,
  type ModelReply,
  type Usage,
} from '@ai-agent/core';
import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';

export type ReplyPart = AssistantMessage['content'][number];

/** What both ways of answering, whole and streamed, end up with. */
export interface Answer {
  readonly content: readonly ReplyPart[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
  readonly modelId: string | undefined;
}

/** `provider` is whom the metadata of the parts is bound to. */
export function fromReply(result: LanguageModelV4GenerateResult, provider: string): ModelReply {
  const content = result.content.flatMap((part) => toReplyPart(part, provider) ?? []);
  const { finishReason, usage, response } = result;
  return toModelReply({ content, finishReason, usage, modelId: response?.modelId });
}

export function toModelReply({ content, finishReason, usage, modelId }: Answer): ModelReply {
  return {
    message: { role: 'assistant', content },
    finishReason: toFinishReason(finishReason),
    usage: toUsage(usage),
    ...(modelId ? { servedBy: modelId } : {}),
  };
}

/** Sources, files and what the provider ran by itself are no part of our conversation. */
export function toReplyPart(part: LanguageModelV4Content, provider: string): ReplyPart | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text, ...bind(part.providerMetadata, provider) };
  // Always bound, metadata or not: that is how another provider knows it is not its own.
  if (part.type === 'reasoning')
    return { type: 'reasoning', text: part.text, ...bind(part.providerMetadata ?? {}, provider) };
  if (part.type !== 'tool-call' || part.providerExecuted) return undefined;
  const { toolCallId: id, toolName: name, input, providerMetadata } = part;
  return { type: 'tool-call', id, name, input, ...bind(providerMetadata, provider) };
}

function bind(metadata: SharedV4ProviderMetadata | undefined, provider: string) {
  return metadata === undefined ? {} : { bound: { [provider]: metadata as Json } };
}

/** What providers say beyond the usual: names of their own for the usual, and that the reply is not whole. */
const otherReasons: Readonly<Record<string, FinishReason | 'interrupted'>> = {
  model_length: 'length',
  max_tokens: 'length',
  sensitive: 'content-filter',
  insufficient_system_resource: 'interrupted',
  network_error: 'interrupted',
  abort: 'interrupted',
  aborted: 'interrupted',
  cancelled: 'interrupted',
  canceled: 'interrupted',
};

function toFinishReason({ unified, raw = '' }: LanguageModelV4FinishReason): FinishReason {
  const reason = unified === 'other' && Object.hasOwn(otherReasons, raw) ? otherReasons[raw] : unified;
  if (reason === 'interrupted')
    throw new AgentError('model-network', 'The reply was interrupted before it was complete.');
  if (reason === 'error' || raw === 'error')
    throw new AgentError('model-unavailable', 'The provider ended the reply with an error it does not name.');
  return reason ?? 'other';
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    ...(inputTokens.total === undefined ? {} : { inputTokens: inputTokens.total }),
    ...(outputTokens.total === undefined ? {} : { outputTokens: outputTokens.total }),
    ...(inputTokens.cacheRead === undefined ? {} : { cacheReadTokens: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite === undefined ? {} : { cacheWriteTokens: inputTokens.cacheWrite }),
    ...(outputTokens.reasoning === undefined ? {} : { reasoningTokens: outputTokens.reasoning }),
  };
}
