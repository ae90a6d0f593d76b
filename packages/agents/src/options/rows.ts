// The shapes that most rows of the table have.

import { defaultLimits, defaultSettings, type Limits, leastLimits, type ModelSettings } from '@ai-agent/core';
import type { Kind } from './kind.ts';
import { whole } from './kinds.ts';
import type { Group, Option, Where } from './option.ts';

export const everywhere: readonly Where[] = ['file', 'flag', 'override', 'defaults'];
export const fileAndFlag: readonly Where[] = ['file', 'flag'];
export const fileOnly: readonly Where[] = ['file'];

export function within(group: Group, rows: readonly Row[]): readonly Option[] {
  return rows.map((given) => ({ ...given, group }));
}

type Row = Omit<Option, 'group'>;

/** Sent to the model with every request. */
export function setting(key: keyof ModelSettings, kind: Kind, about: string): Row {
  const value = (defaultSettings as ModelSettings)[key];
  const held = value === undefined ? { otherwise: 'not sent' } : { default: value };
  return { key, kind, about, said: everywhere, field: ['settings', key], ...held };
}

interface LimitForm {
  /** @default a whole number, from the least that core takes */
  readonly kind?: Kind;
  /** What core calls it. @default as its key */
  readonly name?: keyof Limits;
  readonly alsoFlags?: readonly string[];
  readonly defaultField?: Option['field'];
}

export function limit(key: string, about: string, { kind, name = key as keyof Limits, ...more }: LimitForm = {}): Row {
  const least = leastLimits[name];
  return {
    key,
    kind: kind ?? whole(least),
    about,
    default: defaultLimits[name],
    said: everywhere,
    field: ['limits', name],
    ...more,
  };
}

interface AmountForm {
  /** What core calls it. @default as its key */
  readonly name?: string;
  readonly otherwise?: string;
}

export function amount(
  key: string,
  kind: Kind,
  about: string,
  { name = key, otherwise = 'unlimited' }: AmountForm = {},
): Row {
  return { key: `budget.${key}`, kind, about, otherwise, said: everywhere, field: ['budget', name] };
}

/** Gives a row's value its own type inside the row, and forgets it outside: the table is read as a whole. */
export function row<T>(option: Omit<Option<T>, 'group'>): Row {
  return option as unknown as Row;
}
