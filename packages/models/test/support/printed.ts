// All that anybody could print of an error.

import { inspect } from 'node:util';

/** Its words, its stack, every property of it and of whatever hangs on it, hidden ones too; as a text, and as JSON. */
export function printedOf(error: Error): string {
  const everything = { depth: 10, showHidden: true, maxStringLength: null, breakLength: Number.POSITIVE_INFINITY };
  return [...textsIn(error), String(error), inspect(error, everything), JSON.stringify(error)].join('\n');
}

function textsIn(root: unknown): readonly string[] {
  const seen = new Set<unknown>([root]);
  // What is added on the way is visited too.
  for (const one of seen) {
    if ((typeof one !== 'object' && typeof one !== 'function') || one === null) continue;
    for (const key of Reflect.ownKeys(one)) {
      seen.add(String(key));
      seen.add(Reflect.get(one, key));
    }
    if (one instanceof Error) seen.add(one.stack);
    if (one instanceof Map || one instanceof Set) for (const held of one) seen.add(held);
  }
  return [...seen].filter((one) => typeof one === 'string');
}
