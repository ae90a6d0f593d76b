// Arguments whose names this API refuses, such as `filter[id]` or `$top`: one such tool would spoil every request.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4CallOptions, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { otherNames, type Renaming, reversed, withParts } from '../renaming.ts';

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number];
type Names = ReadonlyMap<string, string>;

/** Only the names at the top of a schema are looked at. */
export function withSafeKeys(options: LanguageModelV4CallOptions): Renaming | undefined {
  const { tools = [], prompt } = options;
  const sent = new Map(tools.flatMap((tool) => entryOf(tool) ?? []));
  if (sent.size === 0) return undefined;
  const own = new Map([...sent].map(([name, keys]) => [name, reversed(keys)]));
  return {
    options: {
      ...options,
      tools: tools.map((tool) => withSchema(tool, sent.get(tool.name))),
      prompt: withParts(prompt, (part) =>
        'input' in part ? { ...part, input: renamed(part.input, sent.get(part.toolName)) } : part,
      ),
    },
    back: (call) => withInput(call, own.get(call.toolName)),
  };
}

function entryOf(tool: Tool): readonly [readonly [string, Names]] | undefined {
  const properties = tool.type === 'function' ? tool.inputSchema.properties : undefined;
  const keys = otherNames(Object.keys(properties ?? {}), isGood, toGood);
  return keys && [[tool.name, keys]];
}

function isGood(key: string): boolean {
  return /^[a-zA-Z0-9_.-]{1,64}$/.test(key);
}

function toGood(key: string): string {
  return key.replace(/[^a-zA-Z0-9_.-]/g, '_').slice(0, 64) || '_';
}

function withSchema(tool: Tool, keys: Names | undefined): Tool {
  if (!keys || tool.type !== 'function') return tool;
  const { properties, required } = tool.inputSchema;
  return {
    ...tool,
    inputSchema: {
      ...tool.inputSchema,
      properties: renamed(properties, keys) as NonNullable<typeof properties>,
      ...(required ? { required: required.map((key: string) => keys.get(key) ?? key) } : {}),
    },
  };
}

function renamed(fields: unknown, keys: Names | undefined): unknown {
  if (!keys || !isObject(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [keys.get(key) ?? key, value]));
}

/** What is damaged is left to whoever repairs it. */
function withInput(call: LanguageModelV4ToolCall, keys: Names | undefined): LanguageModelV4ToolCall {
  if (!keys) return call;
  try {
    return { ...call, input: JSON.stringify(renamed(JSON.parse(call.input), keys)) };
  } catch {
    return call;
  }
}
