// The way to a provider: who may ask when.

/** The way to one model of an account at a provider, shared by every session that asks it with the same key. */
export interface Lane {
  /**
   * Waits until it is this request's turn; what it gives is called once, when the request is over. Rejects with the
   * signal's reason when it is called off, and when it would be too long a wait, with `model-rate-limit` and `retryAfterMs`:
   * that is not counted as a request, and the next model is asked, or this one again after that time.
   */
  enter(entrant: Entrant): Leave | Promise<Leave>;
}

/** Told the tokens that the request came to, when anybody knows. */
export type Leave = (usedTokens?: number) => void;

export interface Entrant {
  /** Whose request it is: owners take turns. */
  readonly owner: string;
  /** What it will come to, by estimate: input, and the most that the reply may be. */
  readonly tokens: number;
  /** The input alone. */
  readonly inputTokens: number;
  readonly signal: AbortSignal;
  /**
   * Called when it has to wait and is not turned back: because the provider wants a pause or its rate is used up, or because
   * others are first; and how long, where that is known. Missing while nobody looks on.
   */
  readonly onWait?: ((reason: 'rate_limit' | 'queue', waitMs?: number) => void) | undefined;
}
