// Values of a set-up after its variables are filled in: what was a variable is still text.

import { createHash } from 'node:crypto';
import { isObject, type ToolCaching } from '@ai-agent/core';

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `5m` and `300000` are the same. Nothing for what is no time. */
export function toMs(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  const [, digits, unit = 'ms'] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)?\s*$/i.exec(String(value ?? '')) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitMs[unit.toLowerCase()] ?? 1);
}

/** A list of names, or a text with commas. */
export function toNames(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return items.map((item) => String(item).trim()).filter((item) => item !== '');
}

/** Texts by name; other scalars become text, and what is no scalar is not there. */
export function toTexts(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  const scalars = Object.entries(value).filter(([, text]) => text !== null && typeof text !== 'object');
  return Object.fromEntries(scalars.map(([name, text]) => [name, String(text)]));
}

export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Answers are kept apart by everything that was set up, keys included; only a hash of them is kept. */
export function toCaching(cache: unknown, settings: unknown): ToolCaching | undefined {
  const ttlMs = toMs(cache);
  if (ttlMs === undefined || ttlMs === 0) return undefined;
  return { key: createHash('sha256').update(JSON.stringify(settings)).digest('base64url'), ttlMs };
}
