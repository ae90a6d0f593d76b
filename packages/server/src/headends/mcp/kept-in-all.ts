// What all sessions keep together, within a bound: those that have said nothing for longest forget first.

/** One of those who keep something. */
export interface Keeper {
  /** What it keeps, in characters. */
  readonly length: number;
  dropOldest(): void;
}

export class KeptInAll {
  readonly #maxLength: number;
  /** With what is known of each; who has kept something last is the last. */
  readonly #keepers = new Map<Keeper, number>();
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** To be told whenever one keeps more, or nothing any more. What was kept last stays, whatever it comes to. */
  note(keeper: Keeper): void {
    this.#length -= this.#keepers.get(keeper) ?? 0;
    this.#keepers.delete(keeper);
    for (const silent of this.#keepers.keys()) {
      if (this.#length + keeper.length <= this.#maxLength) break;
      this.#shorten(silent, this.#maxLength - keeper.length);
    }
    if (keeper.length === 0) return;
    this.#keepers.set(keeper, keeper.length);
    this.#length += keeper.length;
  }

  #shorten(keeper: Keeper, mostInAll: number): void {
    while (this.#length > mostInAll && keeper.length > 0) {
      const before = keeper.length;
      keeper.dropOldest();
      this.#length -= before - keeper.length;
    }
    if (keeper.length > 0) this.#keepers.set(keeper, keeper.length);
    else this.#keepers.delete(keeper);
  }
}
