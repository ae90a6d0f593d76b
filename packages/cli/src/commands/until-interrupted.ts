// Work that no session does and that may take its time: a signal ends it, and what it has to clean up is cleaned up.

import { AgentError } from '@ai-agent/core';
import type { Terminal } from '../terminal.ts';

/** Aborts the signal on Ctrl-C and the like; whatever the work throws then is that it was cancelled. */
export async function untilInterrupted<T>(terminal: Terminal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const cancel = (reason: string) => ending.abort(new AgentError('cancelled', reason));
  const release = terminal.onInterrupt({ stop: () => cancel('Interrupted by SIGINT.'), cancel, abandon() {} });
  try {
    return await work(ending.signal);
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    release();
  }
}
