// What a refusal does to all: a pause, fewer at once, and after the pause one first, then more and more.

/** Without a word from the provider: the first pause, doubled with each refusal in a row up to the longest. */
const pause = { firstMs: 1_000, longestMs: 30_000 } as const;

/** Who is not refused within this time has been let in: twice as many may follow. */
const stepMs = 1_000;

/** So long after a pause without another refusal, everything is as before. Also so that no slow reply holds up the others. */
const forgetMs = 60_000;

/** From here on nobody counts any more who started since the pause. */
const wideOpen = 1_024;

export class Throttle {
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** Refusals since the last answer; those that come during one pause are one. */
  #inRow = 0;
  /** How many may be under way at once, and from how many on that is no bound any more. */
  #window = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;
  /** How many may start since the last pause, and how many did; undefined when it is long over. */
  #mayStart: number | undefined;
  #started = 0;

  get isOff(): boolean {
    return this.#mayStart === undefined && this.#window === Number.POSITIVE_INFINITY;
  }

  /** Too many requests: everybody waits, then half as many as were under way go on. */
  refused(now: number, underWay: number, waitMs: number | undefined): void {
    // The others who were under way when it began are refused for the same reason.
    const isNews = now >= this.#pausedUntil;
    if (now - this.#pausedUntil >= forgetMs) this.#forget();
    if (isNews) {
      this.#inRow++;
      if (this.#window === Number.POSITIVE_INFINITY) this.#before = underWay;
      this.#window = Math.max(1, Math.floor(Math.min(this.#window, underWay) / 2));
    }
    const unsaidMs = isNews ? Math.min(pause.longestMs, pause.firstMs * 2 ** (this.#inRow - 1)) : 0;
    this.pause(now, waitMs ?? unsaidMs);
  }

  pause(now: number, waitMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs);
    this.#mayStart = 1;
    this.#started = 0;
  }

  /** One was answered. What was answered during a pause had been asked before it, and says nothing. */
  answered(now: number): void {
    if (this.isOff || now < this.#pausedUntil) return;
    this.#inRow = 0;
    if (this.#mayStart !== undefined) this.#mayStart *= 2;
    if (++this.#window < this.#before) return;
    this.#window = Number.POSITIVE_INFINITY;
  }

  started(): void {
    this.#started++;
  }

  /** How long nobody at all may start. */
  pausedMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  /** How long until one more may start, as things stand. */
  waitMs(now: number, underWay: number): number {
    if (this.isOff) return 0;
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    const sinceMs = now - this.#pausedUntil;
    if (sinceMs >= forgetMs) this.#forget();
    const openMs = this.#untilOpen(sinceMs);
    return underWay < this.#window ? openMs : Math.max(openMs, forgetMs - sinceMs);
  }

  #untilOpen(sinceMs: number): number {
    if (this.#mayStart === undefined) return 0;
    const steps = Math.floor(sinceMs / stepMs);
    const mayStart = this.#mayStart * 2 ** steps;
    if (mayStart >= wideOpen) this.#mayStart = undefined;
    return this.#started < mayStart ? 0 : (steps + 1) * stepMs - sinceMs;
  }

  #forget(): void {
    this.#window = Number.POSITIVE_INFINITY;
    this.#mayStart = undefined;
    this.#inRow = 0;
  }
}
