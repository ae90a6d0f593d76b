// How many facts the database has acknowledged of each session that is written here: what it has beyond that is in doubt.

interface Known {
  readonly resumptions: number;
  readonly facts: number;
}

export class Numbers {
  readonly #known = new Map<string, Known>();
  /** What holds once the transaction is kept. */
  #next = new Map<string, Known | undefined>();

  /** Of a transaction that begins, also one that is tried again. */
  begin(): void {
    this.#next = new Map();
  }

  /** It was kept. */
  commit(): void {
    for (const [id, known] of this.#next) {
      if (known) this.#known.set(id, known);
      else this.#known.delete(id);
    }
    this.begin();
  }

  /** What is known of it, or what the database says of it now, where it is new here or has gone on. */
  of(id: string, found: Known): Known {
    const known = this.#next.get(id) ?? this.#known.get(id);
    if (known) return known;
    // Holds whatever comes of the transaction: it is what was there before.
    this.#known.set(id, found);
    return found;
  }

  /** A round has begun here, behind so many facts. */
  goOn(id: string, found: Known): void {
    this.#next.set(id, found);
  }

  /** There are so many now. What is told with its end is the last of it. */
  advance(id: string, known: Known): void {
    const isForgotten = this.#next.has(id) && this.#next.get(id) === undefined;
    if (!isForgotten) this.#next.set(id, known);
  }

  /** It has ended, or is gone. */
  forget(id: string): void {
    this.#next.set(id, undefined);
  }
}
