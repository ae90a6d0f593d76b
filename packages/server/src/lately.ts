// Something for everybody who came lately: in memory, bounded, so those who have not come for longest are forgotten.

/** Whoever is counted at once; then the one that was first is forgotten. */
export const mostOfLate = 10_000;

export class Lately<T> {
  readonly #make: () => T;
  readonly #isBlank: (one: T) => boolean;
  readonly #known = new Map<string, T>();

  /** What is blank is as good as new, and need not be kept. */
  constructor(make: () => T, isBlank: (one: T) => boolean) {
    this.#make = make;
    this.#isBlank = isBlank;
  }

  get size(): number {
    return this.#known.size;
  }

  of(who: string): T {
    const one = this.#known.get(who) ?? this.#make();
    // The last that asked is the last to be forgotten.
    this.#known.delete(who);
    this.#known.set(who, one);
    for (const [oldest, other] of this.#known) {
      if (oldest === who || (this.#known.size <= mostOfLate && !this.#isBlank(other))) break;
      this.#known.delete(oldest);
    }
    return one;
  }
}
