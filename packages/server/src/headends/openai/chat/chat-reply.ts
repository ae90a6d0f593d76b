// What was said as one chat completion.

import type { Started } from '../../../talk/reply-to-talk.ts';
import type { ClientCall, Said, SaidUsage } from '../../../talk/said.ts';
import { customInput } from '../custom-tool.ts';
import type { Echo } from './read-chat.ts';

/** What a completion and every chunk of a stream begin with. */
export interface ChatHead {
  /** Of the reply, not of the session: that may reply more than once, and clients tell messages apart by it. */
  readonly id: string;
  /** In seconds. */
  readonly created: number;
  readonly model: string;
}

export function toHead({ replyId, createdAt }: Started, { model }: Pick<Echo, 'model'>): ChatHead {
  return { id: `chatcmpl-${replyId}`, created: Math.floor(createdAt / 1_000), model };
}

export function toCompletion(said: Said, head: ChatHead, echo: Echo): object {
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: toMessage(said, echo), logprobs: null, finish_reason: finishOf(said, echo) }],
    usage: toUsage(said.usage),
    service_tier: 'default',
    system_fingerprint: null,
    ai_agent: said.about,
  };
}

function toMessage({ text, reasoning, calls }: Said, echo: Echo): object {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    annotations: [],
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...toCalls(calls, echo),
  };
}

function toCalls(calls: readonly ClientCall[], echo: Echo): object {
  const [first] = calls;
  if (!first) return {};
  if (echo.isOneCall) return { function_call: { name: first.name, arguments: first.input } };
  return { tool_calls: calls.map((call) => toCall(call, echo)) };
}

function toCall({ id, name, input }: ClientCall, { customNames }: Echo): object {
  if (customNames.has(name)) return { id, type: 'custom', custom: { name, input: customInput(input) } };
  return { id, type: 'function', function: { name, arguments: input } };
}

/** That a limit ended it is told beside, but for the one that cuts a reply. */
export function finishOf({ status, isCut }: Said, { isOneCall }: Echo): string {
  if (status === 'calls') return isOneCall ? 'function_call' : 'tool_calls';
  return isCut ? 'length' : 'stop';
}

export function toUsage(usage: SaidUsage): object {
  const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
