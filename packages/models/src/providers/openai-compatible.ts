// Providers that speak the chat-completions API of OpenAI: most of them, hosted or on the next machine.

import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { withOptions } from '../to-call.ts';
import type { Traits } from '../traits.ts';
import type { Asked, Endpoint, OpenAdapter } from './adapter.ts';
import { anyId, nineLetters, type ToSafeId, withCallIds } from './call-ids.ts';
import { addedFields, type Dialect, type Fields, toDialect, withFields } from './chat/chat-dialect.ts';
import { type ChatEndpoint, openChat } from './chat/open-chat.ts';
import { type Rewrite, replayOf } from './chat/replay.ts';
import { inTurns, withThoughts } from './chat/strict-turns.ts';
import { reportedUsage, toUsage } from './chat/wire-usage.ts';
import { effortOf } from './effort.ts';
import { addressOf, bearer, headersOf } from './endpoint.ts';
import { withWithheld } from './withheld-tools.ts';

export const openCompatible: OpenAdapter = (modelId, endpoint, traits) => {
  const added = addedFields(traits.custom, ['openaiCompatible', 'openai-compatible', endpoint.name]);
  const toFormat = formatOf(traits);
  const replay = replayOf(traits.interleaved);
  const name = `${modelId} ${endpoint.baseUrl}`;
  const isMistral = /(?:mi|mini|code|dev|magi|vox|pix|mix)stral/i.test(name);
  const toSafeId = isMistral ? nineLetters : anyId;
  // Gateways to it want tools named that the conversation speaks of.
  const isClaude = /claude/i.test(modelId);
  const wantsThoughts = /deepseek|kimi|moonshot/i.test(name);
  return {
    languageModel: openSpeaking(modelId, endpoint, { traits, dialect: localFields, added }),
    leaks: true,
    reportedUsage,
    adapt(options, asked) {
      const told = isClaude ? withWithheld(options, asked.request, traits) : options;
      const replayed = withIds(replay(told), toSafeId);
      const ordered = isMistral ? inTurns(replayed) : wantsThoughts ? withThoughts(replayed) : replayed;
      return withEffort(toFormat(ordered), asked);
    },
  };
};

/** Not of OpenAI's, and known to nearly all who speak like it. */
function localFields({ topK }: LanguageModelV4CallOptions) {
  return topK === undefined ? undefined : { top_k: topK };
}

function withIds(options: LanguageModelV4CallOptions, toSafeId: ToSafeId): LanguageModelV4CallOptions {
  const prompt = withCallIds(options.prompt, toSafeId);
  return prompt === options.prompt ? options : { ...options, prompt };
}

/** A level is what the package sends by itself. */
function withEffort(options: LanguageModelV4CallOptions, { reasoning }: Asked): LanguageModelV4CallOptions {
  if (reasoning === undefined || reasoning.type === 'level') return options;
  const effort = reasoning.type === 'effort' ? reasoning.effort : effortOf(reasoning.tokens, options.maxOutputTokens);
  return withFields(options, { reasoning_effort: effort });
}

export interface Speech {
  readonly traits: Traits;
  /** What this kind of provider calls otherwise. */
  readonly dialect: Dialect;
  /** What the configuration adds to each body. */
  readonly added: Fields;
  readonly reading?: ChatEndpoint['reading'];
}

export function openSpeaking(modelId: string, endpoint: Endpoint, speech: Speech): LanguageModelV4 {
  const { traits, dialect, added, reading } = speech;
  const target = {
    url: addressOf(endpoint, '/chat/completions'),
    headers: headersOf(endpoint, bearer(endpoint)),
    fetch: endpoint.fetch,
    dialect: toDialect(dialect, added),
    includesUsage: traits.custom?.includeUsage !== false,
    ...(reading ? { reading } : {}),
  };
  // Every setting is said: what is left out, a package may take from the environment.
  return openChat(modelId, target, {
    provider: `${endpoint.name}.chat`,
    includeUsage: true,
    supportsStructuredOutputs: traits.supportsStructuredOutputs ?? false,
    supportsMultiPartToolContent: false,
    convertUsage: toUsage,
  });
}

/** How a JSON contract is put. */
export function formatOf({ supportsStructuredOutputs = false }: Traits): Rewrite {
  return supportsStructuredOutputs ? withLooseSchema : withoutJsonModeBesideTools;
}

/** Strict mode refuses most schemas people write; the report is validated on our side anyway. */
function withLooseSchema(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  if (options.responseFormat?.type !== 'json') return options;
  const providerOptions = withOptions(options.providerOptions, 'openaiCompatible', { strictJsonSchema: false });
  return { ...options, providerOptions };
}

/** Held to a JSON object, several servers refuse the request or never call a tool; and a list is no object. */
function withoutJsonModeBesideTools(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { responseFormat, ...rest } = options;
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined;
  const isObjectAsked = schema?.type === undefined || schema.type === 'object';
  return responseFormat && !options.tools && isObjectAsked ? options : rest;
}
