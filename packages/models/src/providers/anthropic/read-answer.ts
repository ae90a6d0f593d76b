// What an answer says of itself: why it ended, and what it used.

import { AgentError, isObject } from '@ai-agent/core';
import type {
  LanguageModelV4,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Adapter } from '../adapter.ts';
import { leftOnFailure } from '../left-on-failure.ts';

/** The package takes a pause for an end, and an answer that gives no reason for a whole one. */
export const finishOf: NonNullable<Adapter['finishOf']> = (reason) => {
  const { raw } = reason;
  if (raw === 'pause_turn' || raw === 'compaction')
    throw new AgentError('model-reply-invalid', `The provider stopped in the middle of its reply (${raw}).`, {
      remedy: 'Leave out what makes it do so: tools that it runs itself, or its own management of the context.',
    });
  if (raw === undefined) return { unified: 'interrupted', raw };
  if (reason.unified !== 'other') return reason;
  const unified = ofOthers.get(raw);
  if (!unified)
    throw new AgentError('model-reply-invalid', `The provider ended its reply for a reason we do not know (${raw}).`);
  return { unified, raw };
};

/** What servers like this one say, in the words of chat completions. */
const ofOthers = new Map<string, LanguageModelV4FinishReason['unified']>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['sensitive', 'content-filter'],
]);

/** The package counts what is not said as nothing. */
export function saidUsageOnly(model: LanguageModelV4): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  // Raw chunks report the input tokens before the reply is complete.
  const open = leftOnFailure((options) => model.doStream({ ...options, includeRawChunks: true }));
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) =>
      Promise.resolve(model.doGenerate(options)).then((result) => ({ ...result, usage: saidOnly(result.usage) })),
    doStream: (options) =>
      Promise.resolve(open(options)).then((result) => ({
        ...result,
        stream: result.stream.pipeThrough(
          new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
            transform: (part, controller) =>
              controller.enqueue(part.type === 'finish' ? { ...part, usage: saidOnly(part.usage) } : part),
          }),
        ),
      })),
  };
}

export const reportedUsage: NonNullable<Adapter['reportedUsage']> = ({ message, usage }) => {
  // The output count of the first event is a placeholder.
  const raw = isObject(message) && isObject(message.usage) ? { ...message.usage, output_tokens: undefined } : usage;
  if (!isObject(raw)) return undefined;
  const count = (key: string, said = raw) => (typeof said[key] === 'number' ? said[key] : undefined);
  const { output_tokens_details: details } = raw;
  const input = count('input_tokens');
  const cacheRead = count('cache_read_input_tokens');
  const cacheWrite = count('cache_creation_input_tokens');
  const total = input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  const reasoning = isObject(details) ? count('thinking_tokens', details) : undefined;
  return {
    inputTokens: { total, noCache: input, cacheRead, cacheWrite },
    outputTokens: { total: count('output_tokens'), text: undefined, reasoning },
  };
};

/** The package counts iterations too, in its totals, and takes a figure that is missing for zero. */
function saidOnly(usage: LanguageModelV4Usage): LanguageModelV4Usage {
  const { inputTokens, outputTokens } = reportedUsage({ usage: usage.raw }) ?? usage;
  return {
    inputTokens: { ...inputTokens, total: inputTokens.total === undefined ? undefined : usage.inputTokens.total },
    outputTokens: { ...outputTokens, total: outputTokens.total === undefined ? undefined : usage.outputTokens.total },
  };
}
