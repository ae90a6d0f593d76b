// Options as the command line says them: flags for the top agent, `--override key=value` for every agent.

import type { Agent, Budget } from '@ai-agent/core';
import { located } from '../located.ts';
import { meantBy, type Problems } from '../problem.ts';
import type { Effective } from './effective.ts';
import { type Option, toFlag, toKebab, toNoFlag } from './option.ts';
import type { Said, Value } from './read-options.ts';
import { options } from './table.ts';

/** By every spelling of its flag. */
export const flags: ReadonlyMap<string, Option> = new Map(
  options
    .filter(({ said }) => said.includes('flag'))
    .flatMap((option) => spellingsOf(option).map((flag) => [flag, option] as const)),
);

/** Of its flag; the first is the usual one. */
export function spellingsOf({ key, alsoFlags = [], isSwitch }: Option): readonly [string, ...string[]] {
  return [toFlag(key), ...alsoFlags, ...(isSwitch ? [toNoFlag(key)] : [])];
}

/** The flags for agents that say nothing themselves. */
export const defaultFlags: ReadonlyMap<string, Option> = new Map(
  options.flatMap((option) => (option.defaultFlag === undefined ? [] : [[option.defaultFlag, option] as const])),
);

/** The places of values that are not in a file. */
const inFlags = 'the command line';
const inOverrides = '--override';

interface Loaded {
  readonly agent: Pick<Agent, 'budget'>;
  readonly effective: Effective;
}

/** Amounts of the budget that flags set. Undefined if they set none. */
export function flagBudgetOf({ agent: { budget = {} }, effective }: Loaded): Budget | undefined {
  const set = Object.entries(budget).filter(([amount]) => {
    const { file } = effective.said(`budget.${amount}`)?.place ?? {};
    return file === inFlags || file === inOverrides;
  });
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** What flags say, in the order given: the last of the same wins. */
export function readFlags(given: readonly GivenFlag[], problems: Problems): Said {
  return readWith(flags, given, problems);
}

/** The same of what flags say for all agents that say nothing themselves. */
export function readDefaultFlags(given: readonly GivenFlag[], problems: Problems): Said {
  return readWith(defaultFlags, given, problems);
}

export type GivenFlag = readonly [flag: string, value: string];

function readWith(known: ReadonlyMap<string, Option>, given: readonly GivenFlag[], problems: Problems): Said {
  const said = new Map<string, Value>();
  for (const [flag, text] of given) {
    const option = known.get(flag);
    const value = option?.isSwitch ? String(flag !== toNoFlag(option.key)) : text;
    if (option) readText({ option, value, file: inFlags, key: flag, said }, problems);
  }
  return said;
}

/** `max-turns=3` is the same as `maxTurns=3`. */
export function readOverrides(given: readonly string[], problems: Problems): Said {
  const said = new Map<string, Value>();
  for (const pair of given) {
    const [name = '', ...rest] = pair.split('=');
    const option = overridable.get(name.trim()) ?? overridable.get(toKebab(name.trim()));
    const place = { file: inOverrides, key: name.trim() };
    // What only takes something away needs no value.
    const value = rest.length > 0 ? rest.join('=') : option?.key.startsWith('no-') ? 'true' : undefined;
    if (!option) {
      const known = options.filter((row) => row.said.includes('override')).map(({ key }) => key);
      problems.error('key-unknown', place, `cannot be overridden; ${meantBy(name, known)}`);
    } else if (value === undefined) problems.error('key-invalid', place, `has no value; write ${option.key}=value`);
    else readText({ option, value, file: place.file, key: place.key, said }, problems);
  }
  return said;
}

const overridable: ReadonlyMap<string, Option> = new Map(
  options
    .filter(({ said }) => said.includes('override'))
    .flatMap((option) => [[option.key, option] as const, [toKebab(option.key), option] as const]),
);

interface Text {
  readonly option: Option;
  readonly value: string;
  readonly file: string;
  readonly key: string;
  readonly said: Map<string, Value>;
}

function readText({ option, value, file, key, said }: Text, problems: Problems): void {
  const place = { file, key };
  const read = option.kind.read({ at: located(value), place, problems });
  if (read !== undefined) said.set(option.key, { value: read, place });
}
