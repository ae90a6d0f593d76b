// Marks that say up to where a conversation is worth keeping, for models behind OpenRouter that want to be told.

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { withOptions } from '../../to-call.ts';

/** One after the system prompt, which is the same for all; one after the last message, for the next turn. */
export function withCacheMarks(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = [...options.prompt];
  const [first] = prompt;
  if (first?.role === 'system') prompt[0] = marked(first);
  const last = prompt.at(-1);
  if (last && last.role !== 'system') prompt[prompt.length - 1] = marked(last);
  return { ...options, prompt };
}

const mark = { cache_control: { type: 'ephemeral' } };

/** What stands under this name, the provider package writes over the fields of the message or the part. */
const written = 'openaiCompatible';

function marked(message: LanguageModelV4Message): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { ...message, providerOptions: withOptions(message.providerOptions, written, inParts(message.content)) };
    case 'user': {
      const last = message.content.at(-1);
      if (!last) return message;
      // A single text is not written as a part, and its fields are those of the message.
      const isAlone = message.content.length === 1 && last.type === 'text';
      const fields = isAlone ? inParts(last.text) : mark;
      const part = { ...last, providerOptions: withOptions(last.providerOptions, written, fields) };
      return { ...message, content: [...message.content.slice(0, -1), part] };
    }
    case 'tool': {
      const last = message.content.at(-1);
      if (last?.type !== 'tool-result' || !('value' in last.output) || typeof last.output.value !== 'string')
        return message;
      const fields = inParts(last.output.value);
      const part = { ...last, providerOptions: withOptions(last.providerOptions, written, fields) };
      return { ...message, content: [...message.content.slice(0, -1), part] };
    }
    case 'assistant':
      return message;
  }
}

/** An empty text cannot be marked. */
function inParts(text: string) {
  return text === '' ? {} : { content: [{ type: 'text', text, ...mark }] };
}
