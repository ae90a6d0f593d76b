// A request as OpenAI takes it: nothing kept on its side, nothing strict, and only what this model can be told.

import { isObject, type ModelRequest } from '@ai-agent/core';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { withOptions } from '../../to-call.ts';
import type { Formats } from '../../traits.ts';
import type { Asked } from '../adapter.ts';
import { withCallIds, wordOf } from '../call-ids.ts';
import { isPlainObjectSchema } from '../schemas.ts';
import { withheldTools } from '../withheld-tools.ts';
import { withCommentary } from './commentary.ts';
import { familyOf, withReasoning } from './efforts.ts';
import { toParameters, toReport } from './object-schemas.ts';
import { withoutReasoning, withPlainErrors, withWholeTurns } from './stateless-prompt.ts';

export interface Told {
  readonly modelId: string;
  readonly formats: Formats;
  /** False where the configuration says that this model is not to be sent a schema. */
  readonly takesSchemas: boolean;
}

/** What OpenAI accepts as the id of a call. */
const toSafeId = { chat: wordOf(40), responses: wordOf(64) };

/**
 * With `store: false` reasoning comes and goes encrypted, and no item is referred to by its id. A summary of it is only
 * given to organisations that are verified: left out, the package would ask for one.
 */
export function toResponsesCall(
  options: LanguageModelV4CallOptions,
  asked: Asked,
  told: Told,
): LanguageModelV4CallOptions {
  const call = toCommonCall(options, asked, told);
  return {
    ...call,
    prompt: withCallIds(withWholeTurns(withCommentary(call.prompt)), toSafeId.responses),
    // Fewer are refused.
    ...(call.maxOutputTokens === undefined ? {} : { maxOutputTokens: Math.max(16, call.maxOutputTokens) }),
    providerOptions: withOptions(call.providerOptions, 'openai', {
      store: false,
      reasoningSummary: null,
      passThroughUnsupportedFiles: true,
    }),
  };
}

/** Every model takes `max_completion_tokens`; the older `max_tokens` is refused by those that reason. */
export function toChatCall(options: LanguageModelV4CallOptions, asked: Asked, told: Told): LanguageModelV4CallOptions {
  const { maxOutputTokens, stopSequences, ...call } = toCommonCall(options, asked, told);
  const mayStop = stopSequences && familyOf(told.modelId) !== 'reasoning';
  return {
    ...call,
    ...(mayStop ? { stopSequences } : {}),
    prompt: withCallIds(withoutReasoning(call.prompt), toSafeId.chat),
    ...(maxOutputTokens === undefined
      ? {}
      : { providerOptions: withOptions(call.providerOptions, 'openai', { maxCompletionTokens: maxOutputTokens }) }),
  };
}

function toCommonCall(options: LanguageModelV4CallOptions, asked: Asked, told: Told): LanguageModelV4CallOptions {
  const { responseFormat: _, ...rest } = withReasoning(told.modelId, options, asked);
  const responseFormat = toFormat(options, told);
  return {
    ...rest,
    prompt: withPlainErrors(rest.prompt),
    ...toTools(options, asked.request, told),
    ...(responseFormat ? { responseFormat } : {}),
    providerOptions: withOptions(rest.providerOptions, 'openai', { strictJsonSchema: false }),
  };
}

function toTools(
  options: LanguageModelV4CallOptions,
  request: ModelRequest,
  told: Told,
): Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'> {
  const withheld = withheldTools(options, request, told);
  const tools = withheld ?? options.tools;
  if (!tools) return {};
  const choice = withheld ? { type: 'none' as const } : options.toolChoice;
  return { tools: tools.map(toLooseTool), ...(choice ? { toolChoice: choice } : {}) };
}

/** Left out, the Responses API takes a tool for a strict one; the arguments are validated on our side anyway. */
function toLooseTool(tool: NonNullable<LanguageModelV4CallOptions['tools']>[number]): typeof tool {
  return tool.type === 'function' ? { ...tool, inputSchema: toParameters(tool.inputSchema), strict: false } : tool;
}

/** A schema is taken if it is one of an object; any JSON object can be asked for where JSON is spoken of. */
function toFormat(
  { responseFormat: format, prompt }: LanguageModelV4CallOptions,
  { takesSchemas }: Told,
): LanguageModelV4CallOptions['responseFormat'] {
  if (format?.type !== 'json') return undefined;
  const { schema } = format;
  if (schema && takesSchemas && isPlainObjectSchema(schema)) return { ...format, schema: toReport(schema) };
  return (!schema || schema.type === 'object') && saysJson(prompt) ? { type: 'json' } : undefined;
}

function saysJson(prompt: LanguageModelV4Prompt): boolean {
  return prompt.some(({ content }) =>
    typeof content === 'string'
      ? /json/i.test(content)
      : content.some((part) => isObject(part) && part.type === 'text' && /json/i.test(part.text)),
  );
}
