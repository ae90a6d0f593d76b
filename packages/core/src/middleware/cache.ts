// Gives an answer again to the same arguments, for as long as its tool allows. That takes no place, no queue and no time; a
// failure is never kept.

import { cacheTimeoutMs } from '../defaults.ts';
import { AgentError } from '../errors.ts';
import { inTime } from '../in-time.ts';
import { isObject, toSortedJson } from '../json.ts';
import type { Middleware, ToolWork } from '../middleware.ts';
import type { ToolCaching } from '../result-cache.ts';
import type { ToolResult } from '../tool-result.ts';

export const cache: Middleware = {
  name: 'cache',
  perform: {
    isForCached: true,
    tool: (work, next) => (work.cache && work.operation === 'task' ? throughCache(work, work.cache, next) : next(work)),
  },
};

async function throughCache(
  work: ToolWork,
  { key: whose, ttlMs }: ToolCaching,
  next: (work: ToolWork) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { call, ports } = work;
  // The whole of it, no hash: two calls must never be taken for one.
  const key = toSortedJson([whose, call.tool, call.args]);
  const known = await find(work, key);
  const kept = known === undefined ? undefined : parseKept(known);
  if (kept) return { ...kept, isCached: true };
  const result = await next(work);
  // Not awaited: nobody's answer waits for it to be kept.
  if (mayBeKept(result)) keep(async () => ports.cache.put(key, JSON.stringify(result), ttlMs));
  return result;
}

/** A cache that fails, or does not answer, costs no more than what it would have saved. */
async function find({ scope, ports: { cache, clock } }: ToolWork, key: string): Promise<string | undefined> {
  try {
    const found = cache.get(key);
    if (!(found instanceof Promise)) return found;
    const late = () => new AgentError('tool-timeout', 'The cache did not answer in time.');
    return await inTime({ clock, durationMs: cacheTimeoutMs, scope, late }, () => found);
  } catch {
    scope.throwIfAborted();
    return undefined;
  }
}

function keep(put: () => Promise<void>): void {
  put().catch(() => {});
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

/** A layer further in may have made it: handles and sessions are of one tree. */
function mayBeKept({ status, failure, kept, session }: ToolResult): boolean {
  return status === 'ok' && !failure && !kept && !session;
}
