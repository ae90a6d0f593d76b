// What we say to Gemini in our own way: no answer format beside functions where that is refused, and calls that may not be made.

import type { ModelRequest } from '@ai-agent/core';
import { getGoogleLanguageModelEntry } from '@ai-sdk/google/internal';
import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { withFormats } from '../../schema-formats.ts';
import { withOptions } from '../../to-call.ts';
import type { Traits } from '../../traits.ts';
import type { Asked } from '../adapter.ts';
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

/** A conversation with calls in it wants its functions declared, also when none may be called any more. */
function withWithheld(
  options: LanguageModelV4CallOptions,
  { withheld = [], messages }: ModelRequest,
  { formats }: Traits,
): LanguageModelV4CallOptions {
  const hasCalls = messages.some(({ role }) => role === 'tool');
  if (options.tools || withheld.length === 0 || !hasCalls) return options;
  const tools = withheld.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: inputSchema as JSONSchema7,
  }));
  return { ...options, tools: withFormats(tools, formats), toolChoice: { type: 'none' } };
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
