// What is kept, as a text: without anything that looks like a key, and whatever its depth.

import { type Fact, isObject, type SessionHead, withoutKeys } from '@ai-agent/core';
import type { HeadRow } from './ask.ts';

export function toHeadRow(head: SessionHead): HeadRow {
  const { id, owner, user = null, agent, headend, status, createdAt, endedAt = null, resumptions } = head;
  return { id, owner, user, agent, headend, status, createdAt, endedAt, resumptions, json: toJson(head) };
}

/** Core has struck out what it knows; here goes what only has the shape of a key. */
export function toJson(value: unknown): string {
  const json = write(value);
  return withoutKeys(json) === json ? json : JSON.stringify(copyOf(value, 0));
}

/** Facts come without keys. */
export function toFactJson(fact: Fact): string {
  return write(fact);
}

function write(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Nested deeper than a stack: all that is above is kept.
    if (error instanceof RangeError) return JSON.stringify(copyOf(value, 0));
    throw error;
  }
}

/** What is nested deeper was made to hurt. */
const deepest = 500;
const struck = '***';

function copyOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutKeys(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return struck;
  if (Array.isArray(value)) return value.map((item) => copyOf(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [
    withoutKeys(key),
    isPicture(value, key) ? item : copyOf(item, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** No key is as long as that, and no picture is one any more with a piece struck out. */
function isPicture(holder: object, key: string): boolean {
  if (key !== 'data' || !isObject(holder)) return false;
  const { type, data } = holder;
  return type === 'file' && typeof data === 'string' && data.length > 16_384 && /^[A-Za-z\d+/=]+$/.test(data);
}
