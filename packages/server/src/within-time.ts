// Work that may take for ever, while everybody waits for it: it gets a moment.

import { createContext, Script } from 'node:vm';

/** The only way to stop something that never comes up for air. */
const doing = new Script('work()');

/** How often it is tried when the machine was busy with others. */
const mostTries = 5;

/**
 * Throws a `RangeError` when it works longer, and what the work throws. What was stopped without having had that time is done
 * again: it must be the same to do it twice.
 */
export function withinTime<T>(mostMs: number, work: () => T): T {
  for (let left = mostTries; ; left--) {
    const before = workedMs();
    try {
      return doing.runInContext(createContext({ work }), { timeout: mostMs }) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (left > 1 && workedMs() - before < mostMs / 2) continue;
      throw new RangeError('It takes too long.', { cause: error });
    }
  }
}

/** What this thread has worked; older Node knows it only of the process. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}
