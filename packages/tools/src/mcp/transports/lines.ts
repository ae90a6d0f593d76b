// Bytes to lines, with a bound on how much of an unfinished one is held.

const newline = 0x0a;

export class Lines {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  /** False when a line is longer than it may be: what was held of it is gone. */
  push(chunk: Buffer): boolean {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      if (!this.#hold(chunk.subarray(from, end))) return false;
      from = end + 1;
      this.flush();
    }
    return this.#hold(chunk.subarray(from));
  }

  /** What has no end yet. */
  get held(): string {
    return Buffer.concat(this.#parts).toString('utf8').replace(/\r$/, '');
  }

  /** Takes that for a line as well. */
  flush(): void {
    const line = this.held;
    this.#drop();
    if (line !== '') this.#onLine(line);
  }

  #hold(part: Buffer): boolean {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      this.#drop();
      return false;
    }
    if (part.length > 0) this.#parts.push(part);
    return true;
  }

  #drop(): void {
    this.#parts = [];
    this.#bytes = 0;
  }
}
