// Whose time it is: clocks above stand still while something below waits, as long as nothing below works.

/** Counts the time of what is done in a scope and below it. The three fields are kept by the scopes. */
export interface Counter {
  /** How many below wait for somebody: in a queue, for a person. */
  waiting: number;
  /** How many calls below are at work. */
  working: number;
  isStill: boolean;
  standStill(): void;
  goOn(): void;
  /** What the work here holds, when it holds anything. */
  readonly seat?: Seat | undefined;
}

/** A place that others want too. */
export interface Seat {
  /** Gives it back until what this gives is called, which has it again when it resolves. Several may be away at once. */
  leave(): () => Promise<void> | undefined;
}

export function count(counters: readonly Counter[], change: { readonly waiting?: number; readonly working?: number }) {
  for (const counter of counters) {
    counter.waiting += change.waiting ?? 0;
    counter.working += change.working ?? 0;
    const isStill = counter.waiting > 0 && counter.working === 0;
    if (isStill === counter.isStill) continue;
    counter.isStill = isStill;
    if (isStill) counter.standStill();
    else counter.goOn();
  }
}
