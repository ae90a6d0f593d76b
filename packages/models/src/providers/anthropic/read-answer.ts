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

function saidOnly(usage: LanguageModelV4Usage): LanguageModelV4Usage {
  const { inputTokens, outputTokens, raw } = usage;
  const said: Readonly<Record<string, unknown>> = isObject(raw) ? raw : {};
  const ifSaid = (key: string, value: number | undefined) => (typeof said[key] === 'number' ? value : undefined);
  return {
    ...usage,
    inputTokens: {
      ...inputTokens,
      total: ifSaid('input_tokens', inputTokens.total),
      cacheRead: ifSaid('cache_read_input_tokens', inputTokens.cacheRead),
      cacheWrite: ifSaid('cache_creation_input_tokens', inputTokens.cacheWrite),
    },
    outputTokens: { ...outputTokens, total: ifSaid('output_tokens', outputTokens.total) },
  };
}
