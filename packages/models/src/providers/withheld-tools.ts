// Tools that the conversation speaks of and that must not be called now.

import type { ModelRequest } from '@ai-agent/core';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { withFormats } from '../schema-formats.ts';
import { toFunctionTool } from '../to-prompt.ts';
import type { Traits } from '../traits.ts';

/**
 * To be named and forbidden: some providers refuse a conversation with calls of tools that nobody names, and what others
 * have kept of its beginning begins with them. Undefined where there are none, or where others may be called.
 */
export function withheldTools(
  { tools }: LanguageModelV4CallOptions,
  { withheld = [], messages }: ModelRequest,
  { formats }: Pick<Traits, 'formats'>,
): LanguageModelV4CallOptions['tools'] {
  if (tools || withheld.length === 0 || !messages.some(({ role }) => role === 'tool')) return undefined;
  return withFormats(withheld.map(toFunctionTool), formats);
}

/** The options with them, forbidden. */
export function withWithheld(
  options: LanguageModelV4CallOptions,
  request: ModelRequest,
  traits: Pick<Traits, 'formats'>,
): LanguageModelV4CallOptions {
  const tools = withheldTools(options, request, traits);
  return tools ? { ...options, tools, toolChoice: { type: 'none' } } : options;
}
