// Reasoning of earlier turns: whether it goes back to the model that had it, and under which name.

import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { withOptions } from '../../to-call.ts';
import type { Fields } from './chat-dialect.ts';

export type Rewrite = (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;
type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>;
type Part = Assistant['content'][number];
export type Thought = Extract<Part, { type: 'reasoning' }>;

/** The name under which the package sends reasoning back, which some need. */
export const kept = 'reasoning_content';

/** True sends all of it as the package does, a text under that name, false none. Left out, it goes back as it came. */
export function replayOf(interleaved: boolean | string | undefined): Rewrite {
  if (interleaved === undefined) return withoutForeignReasoning;
  if (interleaved === true) return (options) => options;
  return replayAs((thoughts) => {
    const text = thoughts.map((thought) => thought.text).join('');
    return interleaved === false || text === '' ? undefined : { [interleaved]: text };
  });
}

/** Reasoning as fields of its message; undefined leaves it out. */
export function replayAs(toFields: (thoughts: readonly Thought[]) => Fields | undefined): Rewrite {
  return mapAssistants((message) => {
    const thoughts = message.content.filter((part) => part.type === 'reasoning');
    if (thoughts.length === 0) return message;
    const fields = toFields(thoughts);
    const content = message.content.filter((part) => part.type !== 'reasoning');
    if (!fields) return content.length === 0 ? undefined : { ...message, content };
    return { ...message, content, providerOptions: withOptions(message.providerOptions, 'openaiCompatible', fields) };
  });
}

/** Who calls it `reasoning`, or writes it into the content, does not know the package's name, and refuses the request. */
const withoutForeignReasoning = mapAssistants((message) => {
  const content = message.content.filter(
    (part) => part.type !== 'reasoning' || (part.providerOptions?.wire?.reasoning ?? kept) === kept,
  );
  return content.length === 0 ? undefined : { ...message, content };
});

function mapAssistants(change: (message: Assistant) => Assistant | undefined): Rewrite {
  return (options) => {
    const prompt = options.prompt.flatMap((message): LanguageModelV4Prompt => {
      if (message.role !== 'assistant') return [message];
      const changed = change(message);
      return changed ? [changed] : [];
    });
    return { ...options, prompt };
  };
}
