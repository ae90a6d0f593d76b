// Gives an answer again to the same arguments, for as long as its tool allows. That takes no place, no queue and no time; a
// failure is never kept.

import type { Scope } from '../abort.ts';
import { isObject, toSortedJson } from '../json.ts';
import type { Middleware, ToolWork } from '../middleware.ts';
import type { ToolCaching } from '../result-cache.ts';
import type { ToolResult } from '../tool-result.ts';

export const cache: Middleware = {
  name: 'cache',
  perform: {
    tool: (work, next) => (work.cache && work.operation === 'task' ? throughCache(work, work.cache, next) : next(work)),
  },
};

async function throughCache(
  work: ToolWork,
  { key: whose, ttlMs }: ToolCaching,
  next: (work: ToolWork) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { call, scope, ports } = work;
  // The whole of it, no hash: two calls must never be taken for one.
  const key = toSortedJson([whose, call.tool, call.args]);
  const known = await tried(scope, () => ports.cache.get(key));
  const kept = known === undefined ? undefined : parseKept(known);
  if (kept) return { ...kept, isCached: true };
  const result = await next(work);
  if (mayBeKept(result)) await tried(scope, () => ports.cache.put(key, JSON.stringify(result), ttlMs));
  return result;
}

/** A cache that fails costs no more than what it would have saved. */
async function tried<T>(scope: Scope, use: () => T | Promise<T>): Promise<T | undefined> {
  try {
    const used = use();
    return used instanceof Promise ? await scope.race(used) : used;
  } catch {
    scope.throwIfAborted();
    return undefined;
  }
}

function parseKept(text: string): ToolResult | undefined {
  try {
    const kept: unknown = JSON.parse(text);
    return isObject(kept) && kept.status === 'ok' && typeof kept.text === 'string'
      ? (kept as unknown as ToolResult)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Handles and sessions are of one tree. */
function mayBeKept({ status, failure, kept, session }: ToolResult): boolean {
  return status === 'ok' && !failure && !kept && !session;
}
