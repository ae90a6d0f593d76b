// The variables of one session: what its own entries name, and nothing else.

import type { EnvOverlay } from '@ai-agent/core';
import type { Field, Located } from '../located.ts';
import type { Entry } from './entry.ts';
import { renameVariables } from './variables.ts';

export interface Overlay {
  /** Frozen. */
  readonly overlay: EnvOverlay;
  /** The entries given, in their order; where two layers disagree on a variable, the later one names it anew. */
  readonly entries: readonly Entry[];
}

/** An entry that misses a variable is to be told before, not filled from another one's. */
export function toOverlay(entries: readonly Entry[]): Overlay {
  const names = new Names(entries.flatMap(({ variables, missing }) => [...Object.keys(variables), ...missing]));
  const renamed = entries.map((entry) => {
    const changes = Object.entries(entry.variables)
      .map(([name, value]) => [name, names.take(name, value)] as const)
      .filter(([name, taken]) => name !== taken);
    return changes.length === 0 ? entry : rename(entry, new Map(changes));
  });
  return { overlay: Object.freeze(Object.fromEntries(names.values)), entries: renamed };
}

class Names {
  readonly values = new Map<string, string>();
  /** The names a variable has been given, its own first. */
  readonly #given = new Map<string, readonly string[]>();
  /** An invented name is none of these. */
  readonly #used: Set<string>;

  constructor(used: readonly string[]) {
    this.#used = new Set(used);
  }

  take(name: string, value: string): string {
    const given = this.#given.get(name) ?? [];
    const same = given.find((one) => this.values.get(one) === value);
    if (same !== undefined) return same;
    const taken = given.length === 0 ? name : this.#invent(name);
    this.#given.set(name, [...given, taken]);
    this.values.set(taken, value);
    return taken;
  }

  #invent(name: string): string {
    for (let number = 2; ; number += 1) {
      const invented = `${name}__${number}`;
      if (this.#used.has(invented)) continue;
      this.#used.add(invented);
      return invented;
    }
  }
}

function rename(entry: Entry, names: ReadonlyMap<string, string>): Entry {
  const variables = Object.entries(entry.variables).map(([name, value]) => [names.get(name) ?? name, value]);
  return {
    ...entry,
    at: renameAt(entry.at, names),
    value: renameVariables(entry.value, names),
    variables: Object.fromEntries(variables),
  };
}

function renameAt(at: Located, names: ReadonlyMap<string, string>): Located {
  const renameField = ([key, field]: readonly [string, Field]) =>
    [key, { ...field, at: renameAt(field.at, names) }] as const;
  return {
    ...at,
    value: renameVariables(at.value, names),
    ...(at.fields ? { fields: new Map([...at.fields].map(renameField)) } : {}),
    ...(at.items ? { items: at.items.map((item) => renameAt(item, names)) } : {}),
  };
}
