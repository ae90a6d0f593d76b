// One thing after the other in each thread: who comes while a run is under way waits for its end, a few of them.

export class Lanes {
  readonly #most: number;
  /** How many are in it, and when the last of them is done. */
  readonly #lanes = new Map<string, { count: number; last: Promise<void> }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** How many are in it, the one at work included. */
  count(name: string): number {
    return this.#lanes.get(name)?.count ?? 0;
  }

  /** False when too many wait there. Rejects as the work does; who comes after it does not. */
  async enter(name: string, work: () => Promise<void>): Promise<boolean> {
    const lane = this.#lanes.get(name) ?? { count: 0, last: Promise.resolve() };
    if (lane.count > this.#most) return false;
    this.#lanes.set(name, lane);
    lane.count++;
    const done = lane.last.then(work).finally(() => {
      lane.count--;
      if (lane.count === 0) this.#lanes.delete(name);
    });
    lane.last = done.catch(() => {});
    await done;
    return true;
  }

  /** When nobody is in any of them. */
  async whenEmpty(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all([...this.#lanes.values()].map(({ last }) => last));
  }
}
