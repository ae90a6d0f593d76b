// What is wrong with something that was set up: the field, what was found there, and what is allowed.

import { AgentError } from './errors.ts';
import { head } from './text.ts';

/** Whose fields are checked, and what its author can do about a wrong one. */
export interface Owner {
  readonly name: string;
  /** @default the catalogue's, which speaks of an agent */
  readonly remedy?: string;
}

export function complaint({ name, remedy }: Owner, problem: string): AgentError {
  return new AgentError('agent-invalid', `${name}: ${problem}`, remedy === undefined ? {} : { remedy });
}

/** `allowed` goes on after "must be". */
export function wrongField(owner: Owner, field: string, found: unknown, allowed: string): AgentError {
  return complaint(owner, `${field} is ${show(found)} and must be ${allowed}`);
}

export function checkKeys(owner: Owner, given: object, known: readonly string[], path = ''): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) throw complaint(owner, `${path}${unknown} is not known; known are ${known.join(', ')}`);
}

export type FieldType = 'text' | 'number' | 'boolean' | 'object' | 'list' | 'function';

/**
 * The keys that there are, and of what type each is; undefined is as good as left out. What a class keeps in its own
 * instances is its business.
 */
export function checkFields(owner: Owner, given: object, types: Readonly<Record<string, FieldType>>, path = ''): void {
  if (isPlain(given)) checkKeys(owner, given, Object.keys(types), path);
  for (const [key, type] of Object.entries(types)) {
    const value: unknown = (given as Record<string, unknown>)[key];
    if (value !== undefined && typeOf(value) !== type) throw wrongField(owner, `${path}${key}`, value, allowedOf(type));
  }
}

export function isWholeFrom(least: number, value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= least;
}

/** A value in a message: short, and never what could not be written. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(head(value, 60));
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function typeOf(value: unknown): string {
  if (typeof value === 'string') return 'text';
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
}

function allowedOf(type: FieldType): string {
  if (type === 'boolean') return 'true or false';
  if (type === 'text') return 'text';
  return type === 'object' ? 'an object' : `a ${type}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
