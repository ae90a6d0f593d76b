// An OpenAPI document as plain data of version 3.1, whatever 3.x it was written in, and the way along its references.

import { readFile } from 'node:fs/promises';
import { AgentError, isObject, messageOf, oneLine } from '@ai-agent/core';

export type Node = Readonly<Record<string, unknown>>;

/** Throws `config-invalid`, `file-missing`: always with the name of the file, as `owner` wrote it. */
export async function readDocument(file: string, owner: string): Promise<Node> {
  const text = await readText(file, owner);
  const parsed = await parseText(text, owner);
  if (isDeeper(parsed, maxLevels)) throw tooDeep(owner);
  if (!isObject(parsed)) throw wrong(owner, 'is no OpenAPI document: it has no keys');
  const { openapi, swagger } = parsed;
  if (swagger !== undefined)
    throw wrong(owner, `is of version ${String(swagger)}, and only 3.x is read`, {
      remedy: 'Convert it to OpenAPI 3 first, for example with swagger2openapi, and name the converted file.',
    });
  if (typeof openapi !== 'string' || !/^3\.[01](?:\.|$)/.test(openapi))
    throw wrong(owner, `says openapi: ${JSON.stringify(openapi) ?? 'nothing'}, and only 3.0 and 3.1 are read`);
  if (!isObject(parsed.paths)) throw await unusable(parsed, owner, 'has no paths');
  return openapi.startsWith('3.0') ? await upgraded(parsed, owner) : parsed;
}

/** Where a reference inside the document leads, along references that follow each other; nothing when it leads nowhere. */
export function follow(document: Node, node: unknown): Node | undefined {
  let here = node;
  for (let hops = 0; hops < 20; hops++) {
    if (!isObject(here)) return undefined;
    if (typeof here.$ref !== 'string') return here;
    here = at(document, here.$ref);
  }
  return undefined;
}

/** The value that `#/components/schemas/Pet` points to. Other documents are not read. */
export function at(document: Node, reference: string): unknown {
  if (!reference.startsWith('#/')) return reference === '#' ? document : undefined;
  let here: unknown = document;
  for (const piece of reference.slice(2).split('/')) {
    const key = decoded(piece).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Node)[key];
  }
  return here;
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

async function readText(file: string, owner: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    throw new AgentError('file-missing', `${owner} cannot be read (${String(code)}).`, { cause: error });
  }
}

/** JSON is YAML too, and much faster read as JSON. */
async function parseText(text: string, owner: string): Promise<unknown> {
  try {
    if (/^\s*\{/.test(text)) {
      const json = tryJson(text);
      if (json !== undefined) return json;
    }
    const { parse } = await import('yaml');
    // Who writes more may use an anchor more often; what anchors hold is counted each time.
    const maxAliasCount = Math.max(100, text.length / 4);
    const value = parse(text, { uniqueKeys: false, prettyErrors: true, merge: true, logLevel: 'error', maxAliasCount });
    if (!holdsItself(value)) return value;
  } catch (error) {
    const said = oneLine(messageOf(error)).slice(0, 300);
    if (/call stack/i.test(said)) throw tooDeep(owner);
    if (said.startsWith('Excessive alias count'))
      throw wrong(owner, 'uses its anchors too often, or anchors in anchors: write out what they hold');
    throw wrong(owner, `is neither JSON nor YAML: ${said}`);
  }
  throw wrong(owner, 'has an anchor that holds itself');
}

function holdsItself(value: unknown, above = new Set<unknown>(), done = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null || done.has(value)) return false;
  if (above.has(value)) return true;
  above.add(value);
  const found = Object.values(value).some((part) => holdsItself(part, above, done));
  above.delete(value);
  done.add(value);
  return found;
}

/** What walks through a document does so level by level, and the stack has an end. */
const maxLevels = 500;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function tooDeep(owner: string): AgentError {
  return wrong(owner, 'is nested too deeply');
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Schemas of 3.0 are a dialect of their own; those of 3.1 are JSON Schema. */
async function upgraded(document: Node, owner: string): Promise<Node> {
  const { upgrade } = await import('@scalar/openapi-parser');
  try {
    return upgrade(document as Record<string, unknown>).specification as Node;
  } catch (error) {
    throw await unusable(
      document,
      owner,
      `cannot be brought to version 3.1 (${oneLine(messageOf(error)).slice(0, 200)})`,
    );
  }
}

/** A document that is no use is looked through for what is wrong with it; one that is, never is: few are without any fault. */
export async function unusable(document: Node, owner: string, what: string): Promise<AgentError> {
  const { validate } = await import('@scalar/openapi-parser');
  const found = await validate(document as Record<string, unknown>).catch(() => ({ errors: [] }));
  const complaints = (found.errors ?? []).slice(0, 3).map(({ message }) => oneLine(message).slice(0, 200));
  return wrong(owner, complaints.length === 0 ? what : `${what}: ${complaints.join('; ')}`);
}

export function wrong(owner: string, what: string, options: { readonly remedy?: string } = {}): AgentError {
  return new AgentError('config-invalid', `${owner} ${what}.`, {
    remedy: options.remedy ?? 'Correct the document, or name another one in openapiSpecs of .ai-agent.json.',
  });
}
