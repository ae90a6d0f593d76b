// Who waits, by owner. Owners take turns, so that one with many does not starve one with few.

export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(owner: string, item: T): void {
    const own = this.#waiting.get(owner);
    if (own) own.push(item);
    else this.#waiting.set(owner, [item]);
    this.#size++;
  }

  /**
   * Takes out the first that the judge takes, whose turn it is being judged first; its owner goes to the end of the row. Who is
   * skipped keeps its place; at a stop nobody is taken.
   */
  take(judge: (item: T) => Judgement = takeAny): T | undefined {
    for (const [owner, own] of this.#waiting)
      for (let i = 0; i < own.length; i++) {
        const item = own[i] as T;
        const verdict = judge(item);
        if (verdict === 'stop') return undefined;
        if (verdict === 'skip') continue;
        this.#takeOut(owner, own, i);
        this.#waiting.delete(owner);
        if (own.length > 0) this.#waiting.set(owner, own);
        return item;
      }
    return undefined;
  }

  /** Everybody of whom this is true, taken out; nobody's turn changes. */
  takeAll(isMeant: (item: T) => boolean): readonly T[] {
    const taken: T[] = [];
    for (const [owner, own] of this.#waiting) {
      const rest: T[] = [];
      for (const item of own) (isMeant(item) ? taken : rest).push(item);
      if (rest.length > 0) this.#waiting.set(owner, rest);
      else this.#waiting.delete(owner);
    }
    this.#size -= taken.length;
    return taken;
  }

  remove(owner: string, item: T): void {
    const own = this.#waiting.get(owner);
    const at = own?.indexOf(item) ?? -1;
    if (own && at >= 0) this.#takeOut(owner, own, at);
  }

  #takeOut(owner: string, own: T[], at: number): void {
    if (at === 0) own.shift();
    else own.splice(at, 1);
    this.#size--;
    if (own.length === 0) this.#waiting.delete(owner);
  }
}

/** What becomes of one who waits: it is taken, others are looked at, or nobody else is. */
export type Judgement = 'take' | 'skip' | 'stop';

const takeAny = (): Judgement => 'take';
