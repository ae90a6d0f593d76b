// The set-up of a REST tool, read: everything has its type and its default.

import { isObject, type Json, type JsonSchema } from '@ai-agent/core';
import { maxBodyBytes } from './http-answer.ts';
import { namesIn } from './placeholders.ts';
import { toMs, toNames, toText, toTexts } from './settings.ts';

export interface RestConfig {
  readonly description: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parametersSchema: JsonSchema;
  /** Arguments that nobody gave, from the schema. */
  readonly defaults: { readonly [name: string]: Json };
  readonly bodyTemplate: Json | undefined;
  readonly allowedHosts: readonly string[];
  readonly queue: string | undefined;
  readonly cache: unknown;
  readonly streaming: Streaming | undefined;
}

export interface Streaming {
  readonly linePrefix: string;
  readonly discriminatorField: string;
  readonly doneValue: string;
  readonly answerField: string;
  readonly tokenValue: string;
  readonly tokenField: string;
  /** How long it may be silent. @default as long as the call may take */
  readonly timeoutMs: number | undefined;
  readonly maxBytes: number;
}

/** Variables are filled in, or not needed. */
export function readRestConfig(config: Readonly<Record<string, unknown>>): RestConfig {
  const url = toText(config.url) ?? '';
  const parametersSchema = isObject(config.parametersSchema) ? config.parametersSchema : schemaFor(config);
  return {
    description: toText(config.description) ?? '',
    method: (toText(config.method) ?? 'GET').trim().toUpperCase(),
    url,
    headers: toTexts(config.headers),
    parametersSchema,
    defaults: defaultsIn(parametersSchema),
    bodyTemplate: config.bodyTemplate as Json | undefined,
    allowedHosts: toNames(config.allowedHosts),
    queue: toText(config.queue),
    cache: config.cache,
    streaming: isObject(config.streaming) ? readStreaming(config.streaming) : undefined,
  };
}

/** Who gives no schema has one argument for each placeholder; without those before the query there is no address. */
function schemaFor({ url, headers, bodyTemplate }: Readonly<Record<string, unknown>>): JsonSchema {
  const argumentsIn = (value: unknown) => namesIn(value).map((name) => name.split('.')[0] ?? '');
  const [address = ''] = String(url ?? '').split(/[?#]/);
  const required = [...new Set(argumentsIn(address))];
  return {
    type: 'object',
    properties: Object.fromEntries([url, headers, bodyTemplate].flatMap(argumentsIn).map((name) => [name, {}])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function defaultsIn({ properties }: JsonSchema): { readonly [name: string]: Json } {
  if (!isObject(properties)) return {};
  const found = Object.entries(properties).filter(([, schema]) => isObject(schema) && schema.default !== undefined);
  return Object.fromEntries(found.map(([name, schema]) => [name, (schema as { readonly default: Json }).default]));
}

function readStreaming(given: Readonly<Record<string, unknown>>): Streaming {
  const text = (key: string, otherwise: string) => toText(given[key]) ?? otherwise;
  const maxBytes = Number(given.maxBytes);
  return {
    linePrefix: text('linePrefix', '').trimEnd(),
    discriminatorField: text('discriminatorField', 'type'),
    doneValue: text('doneValue', 'done'),
    answerField: text('answerField', 'answer'),
    tokenValue: text('tokenValue', 'token'),
    tokenField: text('tokenField', 'content'),
    timeoutMs: toMs(given.timeoutMs),
    maxBytes: maxBytes > 0 ? maxBytes : maxBodyBytes,
  };
}
