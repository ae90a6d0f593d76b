// What single families of chat servers insist on, whoever serves them.

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { withOptions } from '../../to-call.ts';
import { fillers } from '../fillers.ts';
import { kept } from './replay.ts';

/** Mistral: no user speaks directly after a result, nor after a user. */
export function inTurns(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt: LanguageModelV4Message[] = [];
  for (const message of options.prompt) {
    const last = prompt.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      prompt[prompt.length - 1] = { ...last, content: [...last.content, ...message.content] };
      continue;
    }
    if (message.role === 'user' && last?.role === 'tool')
      prompt.push({ role: 'assistant', content: [{ type: 'text', text: fillers.heard }] });
    prompt.push(message);
  }
  return { ...options, prompt };
}

/** DeepSeek and Kimi: a call without the thought before it is refused, also when somebody else made it. */
export function withThoughts(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = options.prompt.map((message) => {
    if (message.role !== 'assistant' || !message.content.some(({ type }) => type === 'tool-call')) return message;
    const hasThought =
      message.content.some(({ type }) => type === 'reasoning') ||
      kept in (message.providerOptions?.openaiCompatible ?? {});
    if (hasThought) return message;
    // Kimi refuses one that is empty.
    return { ...message, providerOptions: withOptions(message.providerOptions, 'openaiCompatible', { [kept]: ' ' }) };
  });
  return { ...options, prompt };
}
