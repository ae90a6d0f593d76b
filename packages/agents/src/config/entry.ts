// An entry of a configuration as a session may have it: plain data, the variables it names, and where it stands.

import type { Field, Located } from '../located.ts';
import type { Place, Problems } from '../problem.ts';
import { variablesIn } from './variables.ts';

/** A piece of one layer. */
export interface Piece {
  readonly file: string;
  /** The file that can define its variables. @default the env file of any layer */
  readonly envFile?: string;
  /** Of its key, from 1. */
  readonly line?: number;
  readonly at: Located;
  /** Variables stand in it as `${NAME}`. What is null is not there, but in {@link verbatim} parts. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Those it names and nothing else. Secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Names of variables that nobody defines. */
  readonly missing: readonly string[];
}

export type EntrySection = 'providers' | 'mcpServers' | 'restTools' | 'openapiSpecs';

export interface Entry extends Piece {
  readonly section: EntrySection;
  readonly name: string;
}

/** Parts that may be null themselves: "never send any". */
const nullable: readonly (readonly string[])[] = [
  ['providers', '*', 'reasoning'],
  ['providers', '*', 'reasoningValue'],
  ['providers', '*', 'models', '*', 'reasoning'],
];

/** Parts in which null means something: "do not send", or whatever their own language says. */
const verbatim: readonly (readonly string[])[] = [
  ...nullable,
  ['providers', '*', 'custom'],
  ['providers', '*', 'models', '*', 'overrides'],
  ['mcpServers', '*', 'toolSchemas'],
  ['restTools', '*', 'parametersSchema'],
  ['restTools', '*', 'bodyTemplate'],
];

export interface PieceSource {
  readonly file: string;
  readonly envFile: string;
  /** The keys that lead to it. */
  readonly path: readonly string[];
  readonly field: Field;
  /** The value of a variable where this piece stands. */
  readonly resolve: (variable: string) => string | undefined;
}

export function toPiece({ file, envFile, path, field: { line, at }, resolve }: PieceSource): Piece {
  const value = withoutNulls(at.value, path) as Record<string, unknown>;
  const found = variablesIn(value).map((name) => [name, resolve(name)] as const);
  return {
    file,
    envFile,
    ...(line === undefined ? {} : { line }),
    at,
    value,
    variables: Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined)),
    missing: found.filter(([, held]) => held === undefined).map(([name]) => name),
  };
}

function withoutNulls(value: unknown, path: readonly string[]): unknown {
  if (verbatim.some((part) => fits(part, path))) return structuredClone(value);
  if (Array.isArray(value))
    return value.filter((item) => item !== null).map((item) => withoutNulls(item, [...path, '[]']));
  if (typeof value !== 'object' || value === null) return value;
  const isNullable = (key: string) => nullable.some((part) => fits(part, [...path, key]));
  const held = Object.entries(value).filter(([key, part]) => part !== null || isNullable(key));
  return Object.fromEntries(held.map(([key, part]) => [key, withoutNulls(part, [...path, key])]));
}

/** Whatever is below a part that fits is not looked at. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.every((key, index) => key === '*' || key === path[index]);
}

/** One error for an entry that somebody needs; nothing when it has all of its variables. */
export function tellMissing(entry: Entry, problems: Problems): void {
  const { missing } = entry;
  if (missing.length === 0) return;
  problems.error('secret-missing', placeIn(entry, []), toMissing(missing));
}

export function toMissing(names: readonly string[]): string {
  return `Missing: ${names.join(', ')}; define in shell or .ai-agent.env`;
}

/** Where a part of an entry stands, or the nearest thing around it that has a line. */
export function placeIn(entry: Entry, path: readonly string[]): Place {
  return placeWithin(entry, [entry.section, entry.name], path);
}

/** The same of any piece; `inside` are the keys that lead to it. */
export function placeWithin({ file, line, at }: Piece, inside: readonly string[], path: readonly string[]): Place {
  let here = { line, at: at as Located | undefined };
  for (const key of path) {
    const field = here.at?.fields?.get(key);
    here = { line: field?.line ?? here.line, at: field?.at };
  }
  const key = [...inside, ...path].join('.');
  return { file, ...(here.line === undefined ? {} : { line: here.line }), key };
}
