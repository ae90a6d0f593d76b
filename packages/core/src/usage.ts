// What a call used, in tokens.

/** Tokens of one call. A missing figure is unknown, which is not zero. */
export interface Usage {
  /** All input tokens, those read from a cache included. */
  readonly inputTokens?: number;
  /** All output tokens, reasoning included. */
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}
