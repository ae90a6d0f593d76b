// Formats of texts in the schemas of tools: some servers refuse those they do not know.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Formats } from './traits.ts';

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>;

/** Formats that servers built on llguidance understand. */
const guidance = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'uri'];

/** The tools, without the formats that are not to be sent. */
export function withFormats(tools: Tools, formats: Formats): Tools {
  if (!formats.allowed && !formats.denied) return tools;
  return tools.map((tool) =>
    tool.type === 'function'
      ? { ...tool, inputSchema: strip(tool.inputSchema, toTest(formats)) as typeof tool.inputSchema }
      : tool,
  );
}

/** What is denied goes, then what is not among the allowed, if any are named. */
function toTest({ allowed, denied = [] }: Formats): (format: string) => boolean {
  const isIn = (list: readonly string[], format: string) =>
    list.some(
      (one) => one === '*' || one === 'any' || one === format || (one === 'guidance' && guidance.includes(format)),
    );
  return (format) => !isIn(denied, format) && (allowed === undefined || isIn(allowed, format));
}

/** Only where it is the keyword: a property may be called format, and an example may have one. */
function strip(schema: unknown, isKept: (format: string) => boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => strip(one, isKept));
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => key !== 'format' || typeof value !== 'string' || isKept(value),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (values.has(key)) return [key, value];
      if (!maps.has(key) || !isObject(value)) return [key, strip(value, isKept)];
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, strip(one, isKept)]))];
    }),
  );
}

/** Keywords whose value is data, and those whose value is schemas by name. */
const values = new Set(['const', 'default', 'enum', 'examples']);
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
