// Work that may take for ever, while everybody waits for it: it gets a moment.

import { createContext, Script } from 'node:vm';

/** The only way to stop something that never comes up for air. */
const doing = new Script('work()');

/** Throws a `RangeError` when it takes longer, and what the work throws. */
export function withinTime<T>(mostMs: number, work: () => T): T {
  try {
    return doing.runInContext(createContext({ work }), { timeout: mostMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new RangeError('It takes too long.', { cause: error });
  }
}
