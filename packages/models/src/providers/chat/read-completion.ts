// A chat completion, whole, as the provider package reads it; with what it does not remember.

import { isObject } from '@ai-agent/core';
import type { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import {
  JSONParseError,
  type LanguageModelV4Content,
  type LanguageModelV4GenerateResult,
  type SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { Fields } from './chat-dialect.ts';
import { invalid, mended, throwIfError } from './chat-fields.ts';
import { readPlain } from './read-plain.ts';
import { detailsIn, textOfDetails } from './reasoning-details.ts';
import { kept } from './replay.ts';

export interface ChatReader {
  readonly chat: OpenAICompatibleChatLanguageModel;
  /** Whether blocks of reasoning are bound to the reply, to go back as they were. @default false */
  readonly keepsDetails?: boolean;
  /** What else the completion says, for the adapter that opened the model. */
  readonly metadataOf?: (body: Fields) => SharedV4ProviderMetadata | undefined;
}

/** Throws the error a server wrote in place of a completion as the plain object it is. */
export async function readCompletion(reader: ChatReader, body: unknown): Promise<LanguageModelV4GenerateResult> {
  if (!isObject(body)) throw invalid(body, 'choices');
  throwIfError(body);
  const result = readPlain(body) ?? (await readOdd(reader, body));
  const providerMetadata = reader.metadataOf?.(body);
  return providerMetadata ? { ...result, providerMetadata } : result;
}

async function readOdd(
  { chat, keepsDetails = false }: ChatReader,
  body: Fields,
): Promise<LanguageModelV4GenerateResult> {
  const message = messageIn(body);
  const details = detailsIn(message);
  const result = await chat.convertResponse({ body: mended(body) });
  const wire = { reasoning: reasoningFieldIn(message), ...(keepsDetails && details.length > 0 ? { details } : {}) };
  const providerMetadata = { wire } as SharedV4ProviderMetadata;
  const content = result.content.map((part) => (part.type === 'reasoning' ? { ...part, providerMetadata } : part));
  if (details.length === 0 || content.some(({ type }) => type === 'reasoning')) return { ...result, content };
  const thought: LanguageModelV4Content = { type: 'reasoning', text: textOfDetails(details), providerMetadata };
  return { ...result, content: thought.text === '' && !keepsDetails ? content : [thought, ...content] };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JSONParseError({ text, cause });
  }
}

function messageIn({ choices }: Fields): Fields {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(choice) && isObject(choice.message) ? choice.message : {};
}

function reasoningFieldIn(message: Fields): string {
  return message[kept] ? kept : message.reasoning ? 'reasoning' : 'content';
}
