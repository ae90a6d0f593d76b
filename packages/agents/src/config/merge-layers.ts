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
  readonly concurrent: number;
}

/** Highest layer first. */
export function allOf(layers: readonly Layer[], key: string): readonly Sourced[] {
  return layers.flatMap(({ root, file, folder }) => {
    const field = root.fields?.get(key);
    return field ? [{ ...field, file, folder }] : [];
  });
}

/** Of two queues with one name the larger. A queue that is wrong is left out; the check tells. */
export function mergeQueues(layers: readonly Layer[]): ReadonlyMap<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const { at, file, folder } of allOf(layers, 'queues'))
    for (const [name, field] of at.fields ?? []) {
      const concurrent = whole(1).parse(field.at.fields?.get('concurrent')?.at.value);
      if (concurrent === undefined || concurrent <= (queues.get(name)?.concurrent ?? 0)) continue;
      queues.set(name, { ...field, concurrent, file, folder });
    }
  return queues;
}
