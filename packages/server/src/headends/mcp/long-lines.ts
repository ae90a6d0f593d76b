// Bytes to lines. Of one that is longer than may be held only its two ends are kept, and the next one is read as usual.

const newline = 0x0a;

/** Of a line that is too long: enough to see whose it was. */
const keptBytes = 256;

export interface LineHandler {
  line(text: string): void;
  tooLong(beginning: string, end: string): void;
}

export class LongLines {
  readonly #maxBytes: number;
  readonly #handler: LineHandler;
  #parts: Buffer[] = [];
  #bytes = 0;
  #beginning: Buffer | undefined;
  #end: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number, handler: LineHandler) {
    this.#maxBytes = maxBytes;
    this.#handler = handler;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#hold(chunk.subarray(from, end));
      from = end + 1;
      this.flush();
    }
    this.#hold(chunk.subarray(from));
  }

  /** What has no end yet is a line as well. */
  flush(): void {
    const [parts, beginning, end] = [this.#parts, this.#beginning, this.#end];
    this.#parts = [];
    this.#bytes = 0;
    this.#beginning = undefined;
    if (beginning) this.#handler.tooLong(beginning.toString('utf8'), end.toString('utf8'));
    const text = Buffer.concat(beginning ? [] : parts)
      .toString('utf8')
      .trim();
    if (text !== '') this.#handler.line(text);
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
    if (!this.#beginning && this.#bytes <= this.#maxBytes) return;
    const held = Buffer.concat([...(this.#beginning ? [this.#end] : []), ...this.#parts]);
    // A copy, so that the whole of it can be forgotten.
    this.#beginning ??= Buffer.from(held.subarray(0, keptBytes));
    this.#end = Buffer.from(held.subarray(-keptBytes));
    this.#parts = [];
  }
}
