// What a server wrote beside its messages: each line for whoever listens, and the end of it for messages about the server.

import { Lines } from './lines.ts';

const tailChars = 4_096;
const longestLine = 2_048;

export class StderrTail {
  #tail = '';
  readonly #lines: Lines;

  constructor(onLine: (line: string) => void) {
    this.#lines = new Lines(longestLine, (line) => {
      this.#tail = `${this.#tail}${line}\n`.slice(-tailChars);
      onLine(line);
    });
  }

  push(chunk: Buffer): void {
    // Small pieces: a line that is too long loses one of them, not the lines after it.
    for (let from = 0; from < chunk.length; from += longestLine) {
      const piece = chunk.subarray(from, from + longestLine);
      if (this.#lines.push(piece)) continue;
      this.#lines.push(piece);
      this.#lines.flush();
    }
  }

  /** Nothing more will come. */
  end(): void {
    this.#lines.flush();
  }

  get text(): string {
    return `${this.#tail}${this.#lines.held}`;
  }
}
