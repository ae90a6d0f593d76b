// Functions whose names begin with a digit or a dash, which this API refuses.

import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { otherNames, type Renaming, reversed, withParts } from '../renaming.ts';

/** Also those that only the conversation speaks of. */
export function withSafeNames(options: LanguageModelV4CallOptions): Renaming | undefined {
  const { tools = [], prompt, toolChoice } = options;
  const sent = otherNames([...tools.map(({ name }) => name), ...namesIn(prompt)], isGood, toGood);
  if (!sent) return undefined;
  const own = reversed(sent);
  const toSent = (name: string) => sent.get(name) ?? name;
  return {
    options: {
      ...options,
      prompt: withParts(prompt, (part) => ({ ...part, toolName: toSent(part.toolName) })),
      ...(options.tools ? { tools: tools.map((tool) => ({ ...tool, name: toSent(tool.name) })) } : {}),
      ...(toolChoice?.type === 'tool' ? { toolChoice: { ...toolChoice, toolName: toSent(toolChoice.toolName) } } : {}),
    },
    back: (call) => ({ ...call, toolName: own.get(call.toolName) ?? call.toolName }),
  };
}

function namesIn(prompt: LanguageModelV4Prompt): readonly string[] {
  return prompt.flatMap(({ role, content }) =>
    role === 'assistant' || role === 'tool' ? content.flatMap((part) => ('toolName' in part ? part.toolName : [])) : [],
  );
}

function isGood(name: string): boolean {
  return /^[a-zA-Z_]/.test(name);
}

function toGood(name: string): string {
  return `_${name}`.slice(0, 64);
}
