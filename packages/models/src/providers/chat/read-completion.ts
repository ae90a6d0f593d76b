// A chat completion, whole, as the provider package reads it; with what it does not remember.

import { isObject } from '@ai-agent/core';
import type { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import {
  JSONParseError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { invalid, mended, throwIfError } from './chat-fields.ts';
import { readPlain } from './read-plain.ts';

/** Throws the error a server wrote in place of a completion as the plain object it is. */
export async function readCompletion(
  chat: OpenAICompatibleChatLanguageModel,
  body: unknown,
): Promise<LanguageModelV4GenerateResult> {
  if (!isObject(body)) throw invalid(body, 'choices');
  throwIfError(body);
  const plain = readPlain(body);
  if (plain) return plain;
  const result = await chat.convertResponse({ body: mended(body) });
  const providerMetadata = { wire: { reasoning: reasoningFieldIn(body) } };
  const content = result.content.map((part) => (part.type === 'reasoning' ? { ...part, providerMetadata } : part));
  return { ...result, content };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JSONParseError({ text, cause });
  }
}

/**
 * The package sends reasoning back as `reasoning_content`, which some need. Who calls it `reasoning`, or writes it into the
 * content, does not know that name, and refuses the request.
 */
export function withoutForeignReasoning(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = options.prompt.flatMap((message): LanguageModelV4Prompt => {
    if (message.role !== 'assistant') return [message];
    const content = message.content.filter(
      (part) => part.type !== 'reasoning' || (part.providerOptions?.wire?.reasoning ?? kept) === kept,
    );
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return { ...options, prompt };
}

const kept = 'reasoning_content';

function reasoningFieldIn({ choices }: Readonly<Record<string, unknown>>): string {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(choice) && isObject(choice.message) ? choice.message : {};
  return message[kept] ? kept : message.reasoning ? 'reasoning' : 'content';
}
