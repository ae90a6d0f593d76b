// Whoever asks: the key that was shown, and what it may do. Without keys everybody is the same.

import type { Budget } from '@ai-agent/core';

export interface Visitor {
  /** The name of the key; null where the server has none. Sessions belong to it. */
  readonly key: string | null;
  /** Whether it may call an agent of this name. */
  may(agentName: string): boolean;
  /** What each of its runs may use. @default what the agent says */
  readonly budget?: Budget | undefined;
  /** Runs of it at once; more wait. @default as many as the headend has places for */
  readonly concurrency?: number | undefined;
}

/** Whoever comes to a server without keys. */
export const anybody: Visitor = { key: null, may: () => true };
