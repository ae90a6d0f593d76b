// A provider's whole answer as our reply: what was said, why it ended, and what it cost.

import {
  AgentError,
  type AssistantMessage,
  type FinishReason,
  isObject,
  type Json,
  type ModelContext,
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
import type { Adapter } from './providers/adapter.ts';

export type ReplyPart = AssistantMessage['content'][number];

/** What both ways of answering, whole and streamed, end up with. */
export interface Answer {
  readonly content: readonly ReplyPart[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
  readonly modelId: string | undefined;
  readonly metadata: SharedV4ProviderMetadata | undefined;
}

/** How replies of one model are read. */
export interface Reading extends Pick<Adapter, 'costOf' | 'finishOf' | 'reportedUsage'> {
  /** Whom the metadata of the parts is bound to. */
  readonly boundTo: string;
}

export function fromReply(result: LanguageModelV4GenerateResult, reading: Reading, context?: ModelContext): ModelReply {
  const content = result.content.flatMap((part) => toReplyPart(part, reading.boundTo) ?? []);
  const { finishReason, usage, response, providerMetadata: metadata } = result;
  return toModelReply({ content, finishReason, usage, modelId: response?.modelId, metadata }, reading, context);
}

/** Reports the usage before it throws for a reply that is a failure. */
export function toModelReply(answer: Answer, { costOf, finishOf }: Reading, context?: ModelContext): ModelReply {
  const { content, finishReason, modelId, metadata } = answer;
  const usage = toUsage(answer.usage);
  context?.onUsage?.(usage);
  const costUsd = costOf?.(metadata);
  return {
    message: { role: 'assistant', content },
    finishReason: toFinishReason(finishOf ? finishOf(finishReason) : finishReason),
    usage,
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(modelId ? { servedBy: modelId } : {}),
  };
}

/** Sources, files and what the provider ran by itself are no part of our conversation. */
export function toReplyPart(part: LanguageModelV4Content, boundTo: string): ReplyPart | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text, ...bind(part.providerMetadata, boundTo) };
  // Always bound, metadata or not: that is how another provider knows it is not its own.
  if (part.type === 'reasoning')
    return { type: 'reasoning', text: part.text, ...bind(part.providerMetadata ?? {}, boundTo) };
  if (part.type !== 'tool-call' || part.providerExecuted) return undefined;
  const { toolCallId: id, toolName: name, input, providerMetadata } = part;
  return { type: 'tool-call', id, name, input, ...bind(providerMetadata, boundTo) };
}

function bind(metadata: SharedV4ProviderMetadata | undefined, boundTo: string) {
  return metadata === undefined ? {} : { bound: { [boundTo]: metadata as Json } };
}

/** What providers say beyond the usual: names of their own for the usual, and that the reply is not whole. */
const otherReasons: Readonly<Record<string, FinishReason | 'interrupted'>> = {
  model_length: 'length',
  max_tokens: 'length',
  sensitive: 'content-filter',
  insufficient_system_resource: 'interrupted',
  network_error: 'interrupted',
  timeout: 'interrupted',
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

/** Usage that is reported before the end of a reply, or with its failure: there, an output of zero is a placeholder. */
export function usageIn(sent: unknown, { reportedUsage }: Pick<Adapter, 'reportedUsage'>): Usage | undefined {
  const reported = isObject(sent) ? reportedUsage?.(sent) : undefined;
  if (!reported) return undefined;
  const { outputTokens, ...usage } = toUsage(reported);
  return outputTokens ? { ...usage, outputTokens } : usage;
}
