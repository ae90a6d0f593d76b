// What several layers say of one key, brought together.

import type { Located } from '../located.ts';
import { whole } from '../options/kinds.ts';
import type { Layer } from './layers.ts';

/** A value of one layer, and where it stands. */
export interface Sourced {
  readonly at: Located;
  readonly file: string;
  /** Of its key. */
  readonly line?: number;
  /** What paths in it are relative to. */
  readonly folder: string;
}

export interface Queue extends Sourced {
  readonly concurrent?: number;
  readonly callsPerMinute?: number;
}

/** Highest layer first. */
export function allOf(layers: readonly Layer[], key: string): readonly Sourced[] {
  return layers.flatMap(({ root, file, folder }) => {
    const field = root.fields?.get(key);
    return field ? [{ ...field, file, folder }] : [];
  });
}

/** Of two queues with one name the larger; of two rates too. What is wrong is left out; the check tells. */
export function mergeQueues(layers: readonly Layer[]): ReadonlyMap<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const { at, file, folder } of allOf(layers, 'queues'))
    for (const [name, field] of at.fields ?? []) {
      const { concurrent, callsPerMinute } = sizesIn(field.at);
      if (concurrent === undefined && callsPerMinute === undefined) continue;
      const before = queues.get(name);
      const isLarger = !before || (concurrent ?? 0) > (before.concurrent ?? 0);
      const place = isLarger ? { ...field, file, folder } : before;
      const sizes = {
        concurrent: larger(before?.concurrent, concurrent),
        callsPerMinute: larger(before?.callsPerMinute, callsPerMinute),
      };
      const said = Object.entries(sizes).filter(([, size]) => size !== undefined);
      queues.set(name, { ...place, ...Object.fromEntries(said) });
    }
  return queues;
}

function sizesIn({ fields }: Located): { readonly concurrent?: number; readonly callsPerMinute?: number } {
  const sizes = ['concurrent', 'callsPerMinute'].map((key) => [key, whole(1).parse(fields?.get(key)?.at.value)]);
  return Object.fromEntries(sizes.filter(([, size]) => size !== undefined));
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
