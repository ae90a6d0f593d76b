// Strikes texts out of plain data, wherever they are in it: values, and the names of fields.

import { isBase64 } from './file-part.ts';
import type { FilePart } from './message.ts';

/** What stands where something was struck out. */
export const struck = '***';

export interface Striker {
  /** Whether there is anything to strike out of a text. */
  finds(text: string): boolean;
  strike(text: string): string;
}

/** The very same when there is nothing to strike out, which is nearly always; a copy otherwise. */
export function strikeOut<T>(value: T, striker: Striker): T {
  return carries(value, striker) ? (copyOf(value, { striker, areKeysKept: false, copies: new Map() }, 0) as T) : value;
}

/** The same for what others know by the names of its fields: those that are plain words stay. */
export function strikeValues<T>(value: T, striker: Striker): T {
  return carries(value, striker) ? (copyOf(value, { striker, areKeysKept: true, copies: new Map() }, 0) as T) : value;
}

/** What is nested deeper was made to hurt: it is struck out as a whole. */
const deepest = 500;

/** Of so many digits a number may be a secret. */
const leastNumber = 10_000_000;

export function carries(value: unknown, striker: Striker, depth = 0): boolean {
  if (typeof value === 'string') return striker.finds(value);
  if (typeof value !== 'object' || value === null) return isSecretNumber(value, striker);
  if (depth > deepest) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (carries(item, striker, depth + 1)) return true;
    return false;
  }
  if (isLongFile(value)) return carries({ ...value, data: '' }, striker, depth);
  for (const key in value) {
    if (carries((value as Record<string, unknown>)[key], striker, depth + 1) || striker.finds(key)) return true;
  }
  return false;
}

/**
 * A picture is megabytes that nobody reads a secret off, and no picture any more with a piece struck out. What is short, an
 * address or anything else than base64 is looked at.
 */
function isLongFile(value: object): boolean {
  const { type, mediaType, data } = value as Partial<Record<keyof FilePart, unknown>>;
  if (type !== 'file' || typeof mediaType !== 'string' || typeof data !== 'string') return false;
  return data.length > longestSecret && isBase64(data);
}

const longestSecret = 16_384;

function isSecretNumber(value: unknown, striker: Striker): boolean {
  return typeof value === 'number' && value >= leastNumber && striker.finds(String(value));
}

interface Copying {
  readonly striker: Striker;
  readonly areKeysKept: boolean;
  /** What has been copied: a thing within itself is not copied for ever. */
  readonly copies: Map<object, unknown>;
}

function copyOf(value: unknown, copying: Copying, depth: number): unknown {
  const { striker, copies } = copying;
  if (typeof value === 'string') return striker.strike(value);
  if (typeof value !== 'object' || value === null) return isSecretNumber(value, striker) ? struck : value;
  if (depth > deepest) return struck;
  if (!copies.has(value)) {
    copies.set(value, struck);
    copies.set(value, copyInside(value, copying, depth));
  }
  return copies.get(value);
}

const isWord = /^[A-Za-z_-]+$/;

function copyInside(value: object, copying: Copying, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(item, copying, depth + 1));
  const { striker, areKeysKept } = copying;
  if (isLongFile(value)) {
    const rest = copyInside({ ...value, data: '' }, copying, depth);
    return { ...(rest as object), data: (value as { readonly data?: unknown }).data };
  }
  const entries = Object.entries(value).map(([key, item]) => [
    areKeysKept && isWord.test(key) ? key : striker.strike(key),
    copyOf(item, copying, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
