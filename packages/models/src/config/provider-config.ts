// How a provider is set up, and what that comes to with a session's own variables in it.

import { AgentError, type EnvOverlay, isObject, isSecretName, type ReasoningLevel } from '@ai-agent/core';
import type { ReasoningMap } from '../reasoning.ts';
import { isGiven } from './config-problem.ts';
import { keysInQuery } from './query-values.ts';
import { fillText } from './variables.ts';
import { type ProviderType, typeOf, usualAddress } from './well-known.ts';

/** Values of `apiKey`, `baseUrl`, headers and `custom` may name variables of the session as `${NAME}`. */
export interface ProviderConfig {
  /** @default what the name says: `openai`, `groq` */
  readonly type?: ProviderType;
  /** Where the API is, version included: `https://host/v1`. @default the usual address of the type, or of the name */
  readonly baseUrl?: string;
  /** @default no authorization */
  readonly apiKey?: string;
  /** Sent with every request. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it can be held to a JSON Schema. @default false */
  readonly supportsStructuredOutputs?: boolean;
  /** How many tokens a conversation may have. From 1. @default what is known of the model, or the agent's contextWindowTokens */
  readonly contextWindow?: number;
  /** What one model needs, by its name. @default none */
  readonly models?: Readonly<Record<string, ProviderModelConfig>>;
  /** Which API of OpenAI is spoken; only for the type openai. @default 'responses' */
  readonly openaiMode?: 'chat' | 'responses';
  /** `required` makes it call a tool before it answers. @default 'auto' */
  readonly toolChoice?: 'auto' | 'required';
  /** How tokens are counted before anybody has: `approximate`, `tiktoken:<model>`, `anthropic`, `google`. @default 'approximate' */
  readonly tokenizer?: string;
  /** What only this provider knows: `providerOptions` go into each request. @default none */
  readonly custom?: Readonly<Record<string, unknown>>;
  /** What a level of reasoning is here: null sends nothing; one value, or four from minimal to high. @default as its package has it */
  readonly reasoning?: ReasoningMap;
  /** The same by its older name. */
  readonly reasoningValue?: ReasoningMap;
  /** From this level on it streams, also while nobody listens. @default none */
  readonly reasoningAutoStreamLevel?: ReasoningLevel;
  /** How many tokens of the context window are left free. @default the agent's */
  readonly contextWindowBufferTokens?: number;
  /** Formats of texts in schemas of tools that are sent; `*` for all, `guidance` for a usual few. @default all */
  readonly stringSchemaFormatsAllowed?: string | readonly string[];
  /** Formats that are not sent. @default none */
  readonly stringSchemaFormatsDenied?: string | readonly string[];
  /** Requests at once with one key, over all sessions; more wait. From 1. @default unbounded until the provider refuses one */
  readonly maxParallel?: number;
  /** Requests with one key in any minute, over all sessions. Above 0. @default unbounded until the provider says what is left */
  readonly requestsPerMinute?: number;
  /** Tokens with one key in any minute, input and output, over all sessions. Above 0. @default the same */
  readonly tokensPerMinute?: number;
  /** Never had an effect, as the next two. */
  readonly mergeStrategy?: string;
  readonly toolsAllowed?: string | readonly string[];
  readonly toolsDenied?: string | readonly string[];
}

export interface ProviderModelConfig {
  /** Beat what the agent says; null is not sent. Both spellings are known: `topP`, `top_p`. */
  readonly overrides?: Readonly<Record<string, number | null>>;
  /** From 1. @default the provider's */
  readonly contextWindow?: number;
  /** @default the provider's, as all that follow */
  readonly toolChoice?: 'auto' | 'required';
  readonly tokenizer?: string;
  readonly reasoning?: ReasoningMap;
  /** Sends earlier reasoning back as `reasoning_content`, or under this field. @default as it came */
  readonly interleaved?: boolean | string;
  readonly contextWindowBufferTokens?: number;
}

export function misconfigured(name: string, problem: string): AgentError {
  return wrongProvider(`Provider ${name}: ${problem}.`);
}

export function wrongProvider(message: string): AgentError {
  return new AgentError('model-unknown', message, { remedy: 'Correct the configuration of this provider.' });
}

/** Throws when it is none that a request could be sent to. */
export function toAddress(name: string, baseUrl: string): URL {
  const problem = addressProblem(baseUrl);
  if (problem !== undefined) throw misconfigured(name, problem);
  return new URL(baseUrl);
}

export function addressProblem(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) return 'its baseUrl is not an http or https address';
  if (url.username === '' && url.password === '') return undefined;
  return 'its baseUrl has credentials in it, where they do not stay secret; use apiKey or headers';
}

export interface ProviderSettings {
  readonly type: ProviderType;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FilledIn {
  readonly settings: ProviderSettings;
  readonly custom: ProviderConfig['custom'];
  /** What nobody may see: the key, headers and values of a query that may hold one, and every variable that fills either. */
  readonly hidden: readonly string[];
}

/** The configuration with the session's own values in it; it was checked before. */
export function fillIn(name: string, config: ProviderConfig, env: EnvOverlay): FilledIn {
  const { apiKey, headers } = config;
  const filled: string[] = [];
  const fillSecret = (text: string) => fillText(text, env, (value) => filled.push(value));
  const type = typeOf(name, config.type) ?? 'openai-compatible';
  const baseUrl = fillText(config.baseUrl ?? usualAddress(name, type) ?? '', env, (value, variable) => {
    if (isSecretName(variable)) filled.push(value);
  });
  const sent = Object.entries(headers ?? {}).filter(([, value]) => isGiven(value));
  const settings = {
    type,
    baseUrl: type === 'ollama' ? toOllamaAddress(baseUrl) : baseUrl,
    ...(isGiven(apiKey) ? { apiKey: fillSecret(apiKey as string) } : {}),
    ...(sent.length > 0
      ? { headers: Object.fromEntries(sent.map(([header, value]) => [header, fillSecret(value)])) }
      : {}),
  };
  const custom = filledIn(config.custom, fillSecret);
  return { settings, custom, hidden: [...new Set([...hiddenIn(settings), ...filled])] };
}

/** Every text in it, however deep. */
function filledIn<T>(value: T, fill: (text: string) => string): T {
  if (typeof value === 'string') return fill(value) as T;
  if (Array.isArray(value)) return value.map((one) => filledIn(one, fill)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledIn(one, fill)])) as T;
}

/** Its own API is at /api; many write only the host, or where it speaks as others do. */
function toOllamaAddress(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url) return baseUrl;
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/(?:v1|api)$/, '')}/api`;
  return url.href;
}

/** The key, and every header or value of a query that may hold one. `Bearer x` hides x as well. */
function hiddenIn({ apiKey = '', headers = {}, baseUrl }: ProviderSettings): readonly string[] {
  const values = Object.entries(headers).flatMap(([header, given]) => {
    if (!mayHoldKey(header)) return [];
    const value = given.trim();
    return [value, ...(/^\S+\s+(\S{8,})$/.exec(value)?.slice(1) ?? [])];
  });
  const key = apiKey.trim();
  return [...(isPlaceholder(key) ? [] : [key]), ...values, ...keysInQuery(baseUrl)];
}

/** By its name. What a variable fills is hidden in any header. */
function mayHoldKey(header: string): boolean {
  return /^(?:proxy-)?authorization$|cookie/i.test(header) || isSecretName(header.replaceAll('-', '_'));
}

/** Local servers want a key and look at none: `lm-studio`, `not-needed`. Struck out, it would hide plain words. */
function isPlaceholder(key: string): boolean {
  return key.length < 16 && !/\d/.test(key);
}
