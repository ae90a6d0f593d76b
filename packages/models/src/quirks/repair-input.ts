// Arguments that a model wrote as damaged JSON, repaired where only one reading is possible.

import { isObject, type ToolSpec } from '@ai-agent/core';
import { lazily } from '../lazily.ts';
import { hasRequired, requiredOf } from './offer.ts';
import { isSoundDamage, meaningOf } from './sound-damage.ts';

export type Repair = (text: string) => string;

/** Loaded with the first damaged input, not before. */
export const loadRepair: () => Promise<Repair> = lazily(() =>
  import('jsonrepair').then(({ jsonrepair }) => jsonrepair),
);

/** Longer ones are hardly a slip, and repairing takes a while. */
const maxLength = 256 * 1024;

/** The object that a text is, without any repair: as it stands, in a fence, or as the text of a text. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parse(text) ?? parse(withoutFence(text));
  if (isObject(value)) return value;
  const inner = typeof value === 'string' ? parse(value) : undefined;
  return isObject(inner) ? inner : undefined;
}

/** Undefined when it cannot be repaired without guessing. */
export function repairObject(text: string, repair: Repair): Readonly<Record<string, unknown>> | undefined {
  const bare = withoutFence(text);
  if (bare.length > maxLength || !isSoundDamage(bare)) return undefined;
  try {
    const repaired = repair(bare);
    const value = parse(repaired);
    return isObject(value) && meaningOf(bare) === meaningOf(repaired) ? value : undefined;
  } catch {
    // Not even a repair makes sense of it.
    return undefined;
  }
}

/** The same input where nothing is wrong or nothing can be done. Undefined when it cannot be said without `repair`. */
export function mendInput(input: string, { inputSchema }: ToolSpec, repair: Repair | undefined): string | undefined {
  if (isObject(parse(input))) return input;
  if (input.trim() === '') return requiredOf(inputSchema).length === 0 ? '{}' : input;
  const read = readObject(input);
  if (read) return exactJson(read) ?? input;
  if (!repair) return undefined;
  const repaired = repairObject(input, repair);
  return (repaired && hasRequired(repaired, inputSchema) && exactJson(repaired)) || input;
}

/** Undefined when a number in it is none that can be written again: too large, or with more digits than are kept. */
export function exactJson(value: Readonly<Record<string, unknown>>): string | undefined {
  let isExact = true;
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'number' && Math.abs(inner) > Number.MAX_SAFE_INTEGER) isExact = false;
    return inner;
  });
  return isExact ? text : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What stands in the one fence around it. */
export function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```') || trimmed.length < 7) return trimmed;
  const start = /^```[\w-]*\s/.exec(trimmed)?.[0].length ?? 3;
  return trimmed.slice(start, -3).trim();
}
