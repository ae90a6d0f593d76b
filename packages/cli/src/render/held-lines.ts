// Lines that wait while somebody else has the screen: a question stands there, and is being answered.

export class HeldLines {
  readonly #write: (line: string) => void;
  #held: string[] = [];
  #asides = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  get isHeld(): boolean {
    return this.#asides > 0;
  }

  say(line: string): void {
    if (this.isHeld) this.#held.push(line);
    else this.#write(line);
  }

  /** From now on they wait, until what it gives is called. */
  hold(): () => void {
    this.#asides++;
    return () => {
      this.#asides--;
      if (!this.isHeld) for (const line of this.#held.splice(0)) this.#write(line);
    };
  }
}
