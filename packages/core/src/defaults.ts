// Every default, once.

export interface Limits {
  /** Model calls of one session, the last included; the last one gets no tools. At least 1. @default 10 */
  readonly maxTurns: number;
  /** Calls of one turn beyond this many are refused. At least 1. @default 10 */
  readonly maxToolCallsPerTurn: number;
  /** Calls of one turn that run at once; the others wait. At least 1. @default 4 */
  readonly maxParallel: number;
  /** How often a report that breaks its contract may be tried again. From 0. @default 3 */
  readonly maxRepairs: number;
}

export const defaultLimits: Limits = { maxTurns: 10, maxToolCallsPerTurn: 10, maxParallel: 4, maxRepairs: 3 };

export const defaultSettings = { maxOutputTokens: 16384, temperature: 0.2 } as const;

/** Characters of a payload that a tree node keeps. */
export const payloadHead = 400;
