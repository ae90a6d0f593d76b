// The way to a provider: who may ask when.

/** The way to one account at a provider, shared by every session that asks with its key. */
export interface Lane {
  /**
   * Waits until it is this request's turn; what it gives is called when the request is over. Rejects when that would be
   * too long a wait.
   */
  enter(entrant: Entrant): (() => void) | Promise<() => void>;
}

export interface Entrant {
  /** Whose request it is: owners take turns. */
  readonly owner: string;
  /** What it will come to, by estimate: input, and the most that the reply may be. */
  readonly tokens: number;
  readonly signal: AbortSignal;
}
