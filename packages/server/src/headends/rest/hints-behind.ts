// Hints that wait behind a fact which the store has not acknowledged yet: so many, then they are dropped.

/** Characters of frames. */
const room = 256 * 1024;

export class HintsBehind {
  readonly #frames: { readonly after: number; readonly frame: string }[] = [];
  #size = 0;

  /** It was told when so many facts had been. */
  add(after: number, frame: string): void {
    if (this.#size + frame.length > room) return;
    this.#size += frame.length;
    this.#frames.push({ after, frame });
  }

  /** Those whose time has come, now that so many facts were sent. */
  take(sent: number): readonly string[] {
    const first = this.#frames.findIndex(({ after }) => after > sent);
    const due = this.#frames.splice(0, first < 0 ? this.#frames.length : first);
    for (const { frame } of due) this.#size -= frame.length;
    return due.map(({ frame }) => frame);
  }
}
