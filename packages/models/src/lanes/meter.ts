// So much a minute, and no more in any minute: a sliding window for the bound, and a pace so that it is spread over it.

/** What was counted, and when. */
export interface Counted {
  readonly at: number;
  amount: number;
}

const minuteMs = 60_000;

/** This much of a window may be used at once, before the pace counts. */
const burstShare = 0.25;

export class Meter {
  #most = 1;
  #windowMs = minuteMs;
  #msEach = minuteMs;
  #burstMs = 0;
  #counted: Counted[] = [];
  #first = 0;
  #sum = 0;
  /** Where the pace has come to: ahead of now by what was used early. */
  #paidUntil = Number.NEGATIVE_INFINITY;

  constructor(perMinute: number) {
    this.setBound(perMinute);
  }

  /** Less than one a minute is one in a longer time. */
  setBound(perMinute: number): void {
    this.#most = Math.max(1, perMinute);
    this.#windowMs = perMinute < 1 ? minuteMs / perMinute : minuteMs;
    this.#msEach = this.#windowMs / this.#most;
    this.#burstMs = Math.max(0, this.#windowMs * burstShare - this.#msEach);
  }

  /** How long until this much may be used. What is more than the whole bound waits for all of it. */
  waitMs(asked: number, now: number): number {
    this.#forget(now);
    return Math.max(0, this.#paidUntil - this.#burstMs - now, this.#untilRoom(asked, now));
  }

  count(asked: number, now: number): Counted {
    const counted = { at: now, amount: this.#bounded(asked) };
    this.#counted.push(counted);
    this.#sum += counted.amount;
    this.#paidUntil = Math.max(this.#paidUntil, now) + counted.amount * this.#msEach;
    return counted;
  }

  /**
   * It came to more or less than was thought. Also when it took longer than the window: what was reserved for it is given
   * back. However much more it was, nobody waits longer than a window for it.
   */
  correct(counted: Counted, amount: number, now: number): void {
    this.#forget(now);
    const change = amount - counted.amount;
    const isOver = counted.at <= now - this.#windowMs;
    if (isOver && change > 0) return;
    counted.amount += change;
    if (!isOver) this.#sum += change;
    const paidUntil = this.#paidUntil + change * this.#msEach;
    this.#paidUntil = change > 0 ? Math.max(this.#paidUntil, Math.min(paidUntil, now + this.#windowMs)) : paidUntil;
  }

  isIdle(now: number): boolean {
    this.#forget(now);
    return this.#first === this.#counted.length;
  }

  #bounded(asked: number): number {
    return Math.min(Math.max(0, asked), this.#most);
  }

  #untilRoom(asked: number, now: number): number {
    let excess = this.#sum + this.#bounded(asked) - this.#most;
    let waitMs = 0;
    for (let i = this.#first; excess > 0 && i < this.#counted.length; i++) {
      const { at, amount } = this.#counted[i] as Counted;
      excess -= amount;
      waitMs = at + this.#windowMs - now;
    }
    return waitMs;
  }

  #forget(now: number): void {
    const since = now - this.#windowMs;
    for (let next = this.#counted[this.#first]; next && next.at <= since; next = this.#counted[this.#first]) {
      this.#sum -= next.amount;
      this.#first++;
    }
    if (this.#first === this.#counted.length) this.#sum = 0;
    if (this.#first < 1_000 || this.#first < this.#counted.length / 2) return;
    this.#counted = this.#counted.slice(this.#first);
    this.#first = 0;
  }
}
