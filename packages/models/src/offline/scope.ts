// What making one value may cost, and where its schema looks things up. Schemas come from outside: all of it is bounded.

import { isObject, type Json, type JsonSchema } from '@ai-agent/core';
import type { Material } from './material.ts';
import { samplesOf, testPattern } from './pattern.ts';

export class Scope {
  #left: number;
  readonly #samples = new Map<string, readonly string[]>();

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Ends the whole attempt when nothing is left; whoever began it has something simpler to fall back on. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new RangeError('This value costs more than a demonstration is worth.');
  }

  /** A pattern that cannot be tested safely accepts what was made for it, and nothing else. */
  matches(source: string, text: string): boolean {
    this.spend(10);
    return testPattern(source, text) ?? this.samples(source).includes(text);
  }

  samples(source: string): readonly string[] {
    const known = this.#samples.get(source);
    if (known) return known;
    this.spend(100 + 2 * source.length);
    const samples = samplesOf(source);
    this.#samples.set(source, samples);
    return samples;
  }

  /** What `#` or a JSON pointer points to. Any other reference allows anything here. */
  lookUp(ref: string, root: JsonSchema): unknown {
    if (!/^#(?:\/|$)/.test(ref)) return true;
    let found: unknown = root;
    for (const step of decodeURIComponent(ref).split('/').slice(1)) {
      this.spend(1);
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      found = typeof found === 'object' && found !== null ? found[key as never] : undefined;
    }
    return found ?? true;
  }
}

/** Where a schema stands: `#` means the root. */
export interface Standing {
  readonly scope: Scope;
  readonly root: JsonSchema;
  readonly depth: number;
}

/** `call`: what is required, and the request. `full-call`: everything that is declared. `report`: the same, as an answer. */
export type Purpose = 'call' | 'full-call' | 'report';

/** Where in a value a proposal is needed, and what every kind of proposal wants to know about it. */
export interface Place extends Standing {
  readonly name: string;
  /** In a list the position of the item; else how many properties of the same type come before it. */
  readonly index: number;
  readonly isItem: boolean;
  /** Whether only what is required is filled. */
  readonly isLean: boolean;
  /** The references that are open here. */
  readonly refs: readonly string[];
  /** How often it was made again to meet a condition. */
  readonly repairs: number;
  readonly material: Material;
  readonly purpose: Purpose;
  /** Proposals for a schema at a place, each of which it accepts. Part of the place, so that parts can ask for parts. */
  readonly valuesOf: (schema: unknown, place: Place) => Iterable<Json>;
}

/** One level further in. A schema with an address of its own is the root of what it contains. */
export function within<T extends Standing>(schema: JsonSchema, standing: T): T {
  const root = typeof schema.$id === 'string' ? schema : standing.root;
  return { ...standing, depth: standing.depth + 1, root };
}

export function mapOf(value: unknown): JsonSchema {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
