// The tools of a request, and those of a conversation whose tools are no longer offered.

import type { ModelRequest } from '@ai-agent/core';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Traits } from '../../traits.ts';
import { settled, toModern, toObjectSchema } from '../schemas.ts';
import { withheldTools } from '../withheld-tools.ts';

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>;

/** Who speaks of calls has to name tools: those withheld now, or at least their names; and what was kept of them holds. */
export function withTools(
  options: LanguageModelV4CallOptions,
  request: ModelRequest,
  traits: Traits,
): LanguageModelV4CallOptions {
  if (options.tools) return { ...options, tools: options.tools.map(withObjectSchema) };
  const called = namesIn(options.prompt);
  if (called.length === 0) return options;
  const named: Tools =
    withheldTools(options, request, traits) ?? called.map((name) => ({ type: 'function', name, inputSchema: {} }));
  return { ...options, tools: named.map(withObjectSchema), toolChoice: { type: 'none' } };
}

function namesIn(prompt: LanguageModelV4Prompt): readonly string[] {
  const names = prompt.flatMap((message) =>
    message.role === 'assistant' || message.role === 'tool'
      ? message.content.flatMap((part) => ('toolName' in part ? part.toolName : []))
      : [],
  );
  return [...new Set(names)];
}

/** No alternatives at the top, and nothing that a later draft of JSON Schema says otherwise. */
const toInput = settled((schema) => toModern(toObjectSchema(schema)));

function withObjectSchema(tool: Tools[number]): Tools[number] {
  return tool.type === 'function' ? { ...tool, inputSchema: toInput(tool.inputSchema) } : tool;
}
