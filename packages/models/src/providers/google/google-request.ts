// What we say to Gemini in our own way: no answer format beside functions where that is refused, and calls that may not be made.

import { getGoogleLanguageModelEntry } from '@ai-sdk/google/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { withOptions } from '../../to-call.ts';
import type { Traits } from '../../traits.ts';
import type { Asked } from '../adapter.ts';
import { withWithheld } from '../withheld-tools.ts';
import { withThinking } from './google-reasoning.ts';
import { toArgumentsSchema, toPlainSchema } from './google-schema.ts';
import { toTurns } from './google-turns.ts';

export function adaptTo(modelId: string, traits: Traits) {
  return (options: LanguageModelV4CallOptions, { request, reasoning }: Asked): LanguageModelV4CallOptions => {
    const offered = withWithheld(options, request, traits);
    const told = withThinking({ ...offered, prompt: toTurns(offered.prompt) }, reasoning, modelId);
    return withFormat(withSchemas(told, traits), modelId, traits);
  };
}

function withSchemas(options: LanguageModelV4CallOptions, { formats }: Traits): LanguageModelV4CallOptions {
  const { tools, responseFormat } = options;
  const keepFormats = formats.allowed !== undefined;
  return {
    ...options,
    ...(tools
      ? {
          tools: tools.map((tool) =>
            tool.type === 'function'
              ? { ...tool, inputSchema: toArgumentsSchema(tool.inputSchema, { keepFormats }) }
              : tool,
          ),
        }
      : {}),
    ...(responseFormat?.type === 'json' && responseFormat.schema
      ? { responseFormat: { ...responseFormat, schema: toPlainSchema(responseFormat.schema, { keepFormats }) } }
      : {}),
  };
}

/** Where the format cannot be said, the report is validated on our side all the same. */
function withFormat(
  options: LanguageModelV4CallOptions,
  modelId: string,
  { supportsStructuredOutputs = true }: Traits,
): LanguageModelV4CallOptions {
  const { responseFormat, ...rest } = options;
  if (responseFormat?.type !== 'json') return options;
  if (!takesFormat(options, modelId)) return rest;
  if (supportsStructuredOutputs) return options;
  return { ...options, providerOptions: withOptions(options.providerOptions, 'google', { structuredOutputs: false }) };
}

/** Beside functions only newer models take one, and not while they must call; otherwise the package makes it a function. */
function takesFormat({ tools, toolChoice }: LanguageModelV4CallOptions, modelId: string): boolean {
  if (/(^|\/)gemma-[123]/i.test(modelId)) return false;
  if (!tools) return true;
  const { withFunctionTools } = getGoogleLanguageModelEntry(modelId).capabilities.language.structuredOutput;
  return withFunctionTools && toolChoice?.type !== 'required' && toolChoice?.type !== 'tool';
}
