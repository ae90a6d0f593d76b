// So many begun in a minute, and no more in any minute: the starts of the last one are remembered.

const minuteMs = 60_000;

export class StartRate {
  #most = 1;
  #windowMs = minuteMs;
  /** In order; before `#first` they are forgotten. */
  #starts: number[] = [];
  #first = 0;

  constructor(perMinute: number) {
    this.setBound(perMinute);
  }

  /** Less than one a minute is one in a longer time. What has begun stays counted. */
  setBound(perMinute: number): void {
    this.#most = Math.max(1, Math.floor(perMinute));
    this.#windowMs = perMinute < 1 ? minuteMs / perMinute : minuteMs;
  }

  /** How long until one more may begin. */
  waitMs(now: number): number {
    this.#forget(now);
    const decisive = this.#starts[this.#starts.length - this.#most];
    const isFull = this.#starts.length - this.#first >= this.#most;
    return isFull && decisive !== undefined ? Math.max(0, decisive + this.#windowMs - now) : 0;
  }

  count(now: number): void {
    this.#forget(now);
    this.#starts.push(now);
  }

  #forget(now: number): void {
    const since = now - this.#windowMs;
    while (this.#first < this.#starts.length && (this.#starts[this.#first] as number) <= since) this.#first++;
    const isWorthIt = this.#first === this.#starts.length || this.#first >= 1_000;
    if (!isWorthIt || this.#first < this.#starts.length / 2) return;
    this.#starts = this.#starts.slice(this.#first);
    this.#first = 0;
  }
}
