// Single values of a server's entry. They may have come out of a variable, so each is taken as text too.

import { AgentError, isObject } from '@ai-agent/core';

/** Whose value it is, for messages: `mcpServers.github.args`. */
export interface SettingPlace {
  readonly server: string;
  readonly key: string;
}

export function toText(value: unknown, place: SettingPlace): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw unusable(place, 'text');
}

export function toTexts(value: unknown, place: SettingPlace): readonly string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => toText(item, place) ?? '');
}

/** A list of names, or names with commas between them. */
export function toNames(value: unknown, place: SettingPlace): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const names = toTexts(value, place).flatMap((text) => text.split(/,(?![^{}]*\})/));
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

export function toTextTable(value: unknown, place: SettingPlace): Readonly<Record<string, string>> {
  const entries = Object.entries(toTable(value, place));
  return Object.fromEntries(
    entries.flatMap(([name, item]) => {
      const text = toText(item, { ...place, key: `${place.key}.${name}` });
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

export function toTable(value: unknown, place: SettingPlace): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (isObject(value) && !Array.isArray(value)) return value;
  throw unusable(place, 'an object');
}

export function toTruth(value: unknown, place: SettingPlace): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  const word = String(value).trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  throw unusable(place, 'true or false');
}

const unitsMs: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  mo: 2_592_000_000,
  y: 31_536_000_000,
};

/** Milliseconds, or a time such as 90s, 2m or 1.5h. */
export function toDurationMs(value: unknown, place: SettingPlace): number | undefined {
  if (value === undefined || value === null) return undefined;
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(value)) ?? [];
  const factor = Object.hasOwn(unitsMs, unit.toLowerCase()) ? unitsMs[unit.toLowerCase()] : undefined;
  const ms = amount === undefined || factor === undefined ? 0 : Math.round(Number(amount) * factor);
  if (ms >= 1 && ms <= Number.MAX_SAFE_INTEGER) return ms;
  throw unusable(place, 'a time such as 90s, 2m or 1.5h, or milliseconds');
}

/** A timer of Node that is longer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** A time that is waited for. */
export function toTimeoutMs(value: unknown, place: SettingPlace): number | undefined {
  const ms = toDurationMs(value, place);
  return ms === undefined ? undefined : Math.min(ms, longestTimerMs);
}

/** How long something is kept: a time, or `off`. */
export function toKeptMs(value: unknown, place: SettingPlace): number | undefined {
  const word = String(value ?? '')
    .trim()
    .toLowerCase();
  return ['off', 'none', 'false', '0', ''].includes(word) ? undefined : toDurationMs(value, place);
}

/** What was found is not shown: it may be a secret. */
export function unusable(place: SettingPlace, allowed: string): AgentError {
  return new AgentError('config-invalid', `mcpServers.${place.server}.${place.key} must be ${allowed}.`, {
    remedy: `Correct ${place.key} of the server ${place.server}, or the variable that it is filled in with.`,
  });
}
