// The completion that nearly every call gets, read without asking the provider package: text, calls, and figures.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { toUsage, type WireUsage } from './wire-usage.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Undefined when anything about it is unusual: then the package reads it, which takes several times as long. */
export function readPlain({ choices, usage, model }: Fields): LanguageModelV4GenerateResult | undefined {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isObject(choice) || !isObject(choice.message) || !isPlainUsage(usage)) return undefined;
  const unified = reasons[choice.finish_reason as keyof typeof reasons];
  const content = contentOf(choice.message);
  if (!unified || !content) return undefined;
  return {
    content,
    finishReason: { unified, raw: choice.finish_reason as string },
    usage: toUsage(usage),
    warnings: [],
    ...(typeof model === 'string' ? { response: { modelId: model } } : {}),
  };
}

const reasons = { stop: 'stop', tool_calls: 'tool-calls', length: 'length' } as const;

function isPlainUsage(usage: unknown): usage is WireUsage {
  return (
    isObject(usage) &&
    typeof usage.prompt_tokens === 'number' &&
    typeof usage.completion_tokens === 'number' &&
    isPlainDetail(usage.prompt_tokens_details, 'cached_tokens') &&
    isPlainDetail(usage.prompt_tokens_details, 'cache_write_tokens') &&
    isPlainDetail(usage.completion_tokens_details, 'reasoning_tokens')
  );
}

function isPlainDetail(details: unknown, figure: string): boolean {
  if (details === undefined || details === null) return true;
  return isObject(details) && (details[figure] === undefined || typeof details[figure] === 'number');
}

function contentOf({
  role: _role,
  content,
  tool_calls: calls,
  ...others
}: Fields): LanguageModelV4Content[] | undefined {
  if (Object.values(others).some(isSaid)) return undefined;
  if (content !== undefined && content !== null && typeof content !== 'string') return undefined;
  const parts: LanguageModelV4Content[] = content ? [{ type: 'text', text: content }] : [];
  if (calls === undefined || calls === null) return parts;
  if (!Array.isArray(calls)) return undefined;
  const seen = new Set<unknown>();
  for (const call of calls as unknown[]) {
    const part = callOf(call);
    if (!part || seen.has(part.toolCallId)) return undefined;
    seen.add(part.toolCallId);
    parts.push(part);
  }
  return parts;
}

/** Reasoning, refusals, annotations: whatever is more than an empty field is for the package. */
function isSaid(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function callOf(call: unknown): Extract<LanguageModelV4Content, { type: 'tool-call' }> | undefined {
  if (!isObject(call) || !isObject(call.function) || call.extra_content !== undefined) return undefined;
  const { id, function: called } = call;
  if (typeof id !== 'string' || id === '') return undefined;
  if (typeof called.name !== 'string' || typeof called.arguments !== 'string') return undefined;
  return { type: 'tool-call', toolCallId: id, toolName: called.name, input: called.arguments };
}
