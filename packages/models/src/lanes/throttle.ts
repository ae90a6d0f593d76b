// What a refusal does to all: a pause, fewer at once, and after the pause one first, then more and more.

/**
 * The first pause, doubled with each refusal in a row up to the longest. Who names a time is believed that it is so soon,
 * but not again and again: many name one that is far too short.
 */
const pause = { firstMs: 1_000, firstSaidMs: 250, longestMs: 30_000 } as const;

/** Who is not refused within this time has been let in: twice as many may follow. */
const stepMs = 1_000;

/** So long after a pause without another refusal, everything is as before. Also so that no slow reply holds up the others. */
const forgetMs = 60_000;

/** From here on nobody counts any more who started since the pause. */
const wideOpen = 1_024;

export class Throttle {
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** How often the pause was doubled, and once. */
  #level = 0;
  /** How many may be under way at once, and from how many on that is no bound any more. */
  #window = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;
  /** How many may start since the last pause, and how many did; undefined when it is long over. */
  #mayStart: number | undefined;
  #started = 0;
  /** How many were answered since the last pause; without one, since nobody was under way. */
  #answered = 0;
  #refusedSince: number | undefined;
  /** How many were let in before the last refusal; 0 when nobody knows. */
  #proven = 0;

  get isOff(): boolean {
    return this.#mayStart === undefined && this.#window === Number.POSITIVE_INFINITY;
  }

  /** Too many requests: everybody waits, then half as many as were under way go on. */
  refused(now: number, underWay: number, waitMs: number | undefined): void {
    if (now - this.#pausedUntil >= forgetMs) this.#forget();
    // Those who were under way when a pause began are refused for the same reason.
    const isNews = this.isOff || (now >= this.#pausedUntil && this.#started > 0);
    if (isNews) this.#learn(underWay);
    this.#refusedSince ??= now;
    const firstMs = waitMs === undefined ? pause.firstMs : pause.firstSaidMs;
    const leastMs = isNews ? Math.min(pause.longestMs, firstMs * 2 ** (this.#level - 1)) : 0;
    this.pause(now, Math.max(waitMs ?? 0, leastMs));
  }

  pause(now: number, waitMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs);
    this.#mayStart = 1;
    this.#started = 0;
  }

  /** One was answered. What was answered during a pause had been asked before it. */
  answered(now: number): void {
    if (this.isOff) this.answeredFreely();
    else if (now < this.#pausedUntil) this.#proven++;
    else {
      this.#refusedSince = undefined;
      this.#answered++;
      if (this.#mayStart !== undefined) this.#mayStart *= 2;
      if (++this.#window >= this.#before) this.#window = Number.POSITIVE_INFINITY;
    }
  }

  /** The same while it is off, when time plays no part. */
  answeredFreely(): void {
    this.#refusedSince = undefined;
    this.#answered++;
  }

  /** Nobody is under way any more. */
  rested(): void {
    if (this.isOff) this.#answered = 0;
  }

  started(): void {
    this.#started++;
  }

  /** How long nobody at all may start. */
  pausedMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  /** How long nobody was let in who asked, and everybody refused. */
  refusedMs(now: number): number {
    return this.#refusedSince === undefined ? 0 : now - this.#refusedSince;
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

  /** A refusal after answers: the last pause was long enough, or nearly. One after another: it was not. */
  #learn(underWay: number): void {
    const answered = this.#answered;
    const isFirst = this.#level === 0;
    if (answered > 0) this.#proven = answered;
    this.#level = answered > 0 ? Math.max(1, this.#level - 1) : this.#level + 1;
    this.#answered = 0;
    if (!isFirst && answered === 0) return;
    if (this.#window === Number.POSITIVE_INFINITY) this.#before = underWay;
    this.#window = Math.max(1, Math.floor(Math.min(this.#window, underWay) / 2));
  }

  /** Soon as many as were let in the last time; from there on with care. */
  #untilOpen(sinceMs: number): number {
    if (this.#mayStart === undefined) return 0;
    const steps = Math.floor(sinceMs / stepMs);
    const proven = (this.#proven || Number.POSITIVE_INFINITY) + steps ** 2;
    const mayStart = Math.min(this.#mayStart * 2 ** steps, proven);
    if (mayStart >= wideOpen) this.#mayStart = undefined;
    return this.#started < mayStart ? 0 : (steps + 1) * stepMs - sinceMs;
  }

  #forget(): void {
    this.#window = Number.POSITIVE_INFINITY;
    this.#mayStart = undefined;
    this.#level = 0;
    this.#proven = 0;
    this.#refusedSince = undefined;
  }
}
