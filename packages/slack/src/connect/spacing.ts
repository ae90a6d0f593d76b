// How often something may be done: so far apart, with a few at once when nothing was done for a while.

export class Spacing {
  readonly #everyMs: number;
  readonly #burstMs: number;
  /** When each would be even again, had it been done at the steady rate. */
  readonly #evenAt = new Map<string, number>();

  constructor(everyMs: number, burst: number) {
    this.#everyMs = everyMs;
    this.#burstMs = everyMs * Math.max(0, burst - 1);
  }

  /** Takes the next turn, and gives how long to wait for it. */
  take(name: string, now: number): number {
    this.#forget(now);
    const evenAt = Math.max(this.#evenAt.get(name) ?? 0, now);
    this.#evenAt.set(name, evenAt + this.#everyMs);
    return Math.max(0, evenAt - this.#burstMs - now);
  }

  /** Takes a turn only when it is there now. */
  tryTake(name: string, now: number): boolean {
    if ((this.#evenAt.get(name) ?? 0) - this.#burstMs > now) return false;
    this.take(name, now);
    return true;
  }

  /** It was done only now: the next turn is counted from here. */
  wasDone(name: string, now: number): void {
    this.#evenAt.set(name, Math.max(this.#evenAt.get(name) ?? 0, now + this.#everyMs));
  }

  #forget(now: number): void {
    if (this.#evenAt.size < 1_000) return;
    for (const [name, evenAt] of this.#evenAt) if (evenAt <= now) this.#evenAt.delete(name);
  }
}
