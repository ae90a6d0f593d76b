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
  /** Levels of sessions below this one. From 0. @default 3, or as deep as the agent's own tools go, at most 10 */
  readonly maxDepth: number;
  /** Requests to one model of the list in one model call, the first included. At least 1. @default 3 */
  readonly maxRetries: number;
  /** Time of one request to a model, from when it is sent. At least 1. @default 600000 */
  readonly llmTimeoutMs: number;
  /** Time of one tool call, from when it begins. The default does not apply to sub-agents. At least 1. @default 300000 */
  readonly toolTimeoutMs: number;
  /** Bytes of one result that reach the model; the rest is kept behind a handle. At least 256. @default 12288 */
  readonly maxToolOutputBytes: number;
  /** Tokens a conversation may have, for models that do not say. At least 1024. @default 131072 */
  readonly contextWindowTokens: number;
  /** Tokens of the window that are left free. From 0. @default 8192 */
  readonly contextBufferTokens: number;
}

export const defaultLimits: Limits = {
  maxTurns: 10,
  maxToolCallsPerTurn: 10,
  maxParallel: 4,
  maxRepairs: 3,
  maxDepth: 3,
  maxRetries: 3,
  llmTimeoutMs: 600_000,
  toolTimeoutMs: 300_000,
  maxToolOutputBytes: 12_288,
  contextWindowTokens: 131_072,
  contextBufferTokens: 8_192,
};

/** The least that each limit may be. */
export const leastLimits: Limits = {
  maxTurns: 1,
  maxToolCallsPerTurn: 1,
  maxParallel: 1,
  maxRepairs: 0,
  maxDepth: 0,
  maxRetries: 1,
  llmTimeoutMs: 1,
  toolTimeoutMs: 1,
  maxToolOutputBytes: 256,
  contextWindowTokens: 1_024,
  contextBufferTokens: 0,
};

/** Levels of sub-agents that a tree may have without a maxDepth of its own. More is rather a mistake than a design. */
export const mostLevels = 10;

export const defaultSettings = { maxOutputTokens: 16384, temperature: 0.2 } as const;

/** The most that one result may have of files. */
export const resultFiles = { count: 20, bytes: 20_000_000 } as const;

/** Of a whole tree, unless its root says otherwise. */
export const defaultBudget = { descendants: 64 } as const;

/** Between two requests to one model: the first pause, doubled each time up to the longest, then shortened by chance. */
export const backoff = { firstMs: 1_000, longestMs: 30_000 } as const;

/**
 * What is held back so that a session can still answer: tokens of a reply, and time, at most this much of a limit; tokens
 * of what it is told before; and the least reply that it is asked for.
 */
export const wrapUp = { tokens: 1_024, timeMs: 30_000, share: 0.1, toldTokens: 64, leastTokens: 16 } as const;

/**
 * When a conversation is summed up: of what may be used of the window, how much the summary may be, and how much is taken afterwards;
 * in how many parts it is told at most; and before how many turns in a row that may happen.
 */
export const compaction = { summaryShare: 1 / 8, keptShare: 1 / 2, mostParts: 4, inARow: 3 } as const;

/** How long the end of a session waits for its tools to be closed. */
export const closeTimeoutMs = 5_000;

/** How long a plugin may work on a report; and how long the command waits for it when all else is done. */
export const pluginTime = { workMs: 60_000, waitMs: 10_000 } as const;

/** Characters of a payload that a tree node keeps. */
export const payloadHead = 400;

/** Bytes of long results that one tree keeps in memory; the oldest go first. */
export const keptOutputBytes = 64 * 1024 * 1024;

/**
 * How a long result is read by a model, unless the agent says otherwise; the most parts that are read at all, unless it says
 * that more are read without searching; and the least that is shown of both ends.
 */
export const outputReading = {
  maxChunks: 1,
  mostChunks: 16,
  overlapPercent: 10,
  avgLineBytesThreshold: 1_000,
  maxTurns: 15,
  leastBytes: 512,
} as const;

/** Answers of tools that are given again, as many as one cache in memory keeps; what was not asked for the longest goes first. */
export const keptResults = { entries: 1_000, bytes: 32 * 1024 * 1024 } as const;

/** How long a cache is waited for; then the answer is worked out. */
export const cacheTimeoutMs = 1_000;

/** What the agents of one run may put into the workspace they share. */
export const workspaceBounds = { keys: 1_000, keyCharacters: 200, valueBytes: 100_000, bytes: 1_000_000 } as const;

/** Sessions in wait of an answer that one process keeps in memory, and what they may come to; the oldest go first. */
export const keptPauses = { sessions: 1_000, bytes: 64 * 1024 * 1024 } as const;

/** After so many turns in a row that only told a status there is one more, for the answer. */
export const mostStatusTurns = 5;
