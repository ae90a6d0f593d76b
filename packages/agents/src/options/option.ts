// What an option of an agent is: one row says all there is to know of it, wherever it may be said.

import type { Kind } from './kind.ts';

export interface Option<T = unknown> {
  /** As it stands in a file; with a dot for what stands inside an object: `budget.tokens`. */
  readonly key: string;
  readonly group: Group;
  /** One sentence for help and documents. */
  readonly about: string;
  readonly kind: Kind<T>;
  /** What holds when nobody says anything. @default nothing */
  readonly default?: T;
  /** The same in words, where no value says it. */
  readonly otherwise?: string;
  readonly said: readonly Where[];
  /** Further spellings of its flag. */
  readonly alsoFlags?: readonly string[];
  /** Its flag has no value: `--stream` says true, `--no-stream` says false. @default false */
  readonly isSwitch?: boolean;
  /** The flag that says it for every agent whose file does not. @default there is none */
  readonly defaultFlag?: string;
  /** The field of core's Agent that it becomes. */
  readonly field?: readonly [section: string, name?: string];
  /** Field that takes the value of the configuration's defaults. @default field */
  readonly defaultField?: Option['field'];
  /** What the field gets. @default the value as it is */
  readonly toField?: (value: T) => unknown;
  /** The key that it sets, above all configuration, in the set-up of each model. */
  readonly setUp?: string;
}

/** In the file; as a flag of the command, for the top agent; with `--override`, for all; in `defaults` of the configuration. */
export type Where = 'file' | 'flag' | 'override' | 'defaults';

export const groups = {
  what: 'What it is',
  contract: 'What it takes and gives',
  team: 'Whom it works with',
  model: 'Its model',
  limits: 'Its limits',
  budget: 'What it may use, with everything below it',
  rest: 'Results, caches and plugins',
} as const;

export type Group = keyof typeof groups;

/** `maxToolCallsPerTurn` as `--max-tool-calls-per-turn`, `budget.costUsd` as `--budget-cost-usd`. */
export function toFlag(key: string): string {
  return `--${toKebab(key)}`;
}

/** The flag that says no to a switch. */
export function toNoFlag(key: string): string {
  return `--no-${toKebab(key)}`;
}

export function toKebab(key: string): string {
  return key
    .replaceAll('.', '-')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();
}
