// Arguments that a client of the newer revision says in headers too, for whoever stands before the server: both have to say the same.

import { isObject, type JsonSchema } from '@ai-agent/core';
import type { Hall } from '../../hall.ts';
import type { Visitor } from '../../visitor.ts';
import { refuse } from './rpc-refusal.ts';
import { findTool } from './tools.ts';

interface Posted {
  readonly headers: Headers;
  readonly message: unknown;
}

const headerMismatchCode = -32_020;

/** For calls of tools whose contracts name headers; undefined for all else, and where they agree. */
export function refuseHeaders(hall: Hall, visitor: Visitor, { headers, message }: Posted): Response | undefined {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return undefined;
  const { name, arguments: args } = message.params;
  const found = findTool(hall, visitor, String(name));
  if (!('tool' in found)) return undefined;
  const wrong = headerMismatch(found.tool.listed.inputSchema as JsonSchema, args, headers);
  if (wrong === undefined) return undefined;
  const { id } = message;
  const isId = typeof id === 'string' || typeof id === 'number';
  return refuse({ status: 400, code: headerMismatchCode, message: wrong, ...(isId ? { id } : {}) });
}

/** What is wrong with the headers of a call whose tool has this schema; undefined when nothing is. */
function headerMismatch(schema: JsonSchema, args: unknown, headers: Headers): string | undefined {
  for (const { path, header } of namedIn(schema)) {
    const said = textOf(valueAt(args, path));
    // Of what is not in the arguments nothing is expected.
    if (said === undefined) continue;
    const name = `Mcp-Param-${header}`;
    const value = headers.get(name);
    if (value === null) return `The header ${name} is missing, and the arguments have ${path.join('.')}.`;
    const decoded = decode(value);
    if (decoded === undefined) return `The header ${name} is not in Base64 as it says.`;
    if (decoded !== said) return `The header ${name} and the argument ${path.join('.')} differ.`;
  }
  return undefined;
}

interface Named {
  readonly path: readonly string[];
  readonly header: string;
}

function namedIn({ properties }: JsonSchema, above: readonly string[] = []): readonly Named[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    const path = [...above, name];
    const header = schema['x-mcp-header'];
    return [...(typeof header === 'string' && header !== '' ? [{ path, header }] : []), ...namedIn(schema, path)];
  });
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function textOf(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isPlain ? String(value) : undefined;
}

/** `=?base64?…?=` of UTF-8, whole groups with their padding; anything else is what it is. */
function decode(value: string): string | undefined {
  const [, coded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (coded === undefined) return value;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(coded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(coded, 'base64'));
  } catch {
    return undefined;
  }
}
