// Follows a text that comes in pieces, and knows of its end: whether a line begins there, and whether it is in code or quoted.

/** The beginning of a line says all about fences. */
const maxHead = 80;

export class LineSense {
  #head = '';
  #isInCode = false;
  #last = '';
  #fence: string | undefined;

  reset(): void {
    this.#head = '';
    this.#isInCode = false;
    this.#last = '';
    this.#fence = undefined;
  }

  /** Nothing but a few spaces is before it on its line. */
  get isAtStart(): boolean {
    return this.#head.length < 4 && this.#head.trim() === '' && !this.#head.includes('\t');
  }

  /** Nothing but more of them: such a line is code. */
  get isIndented(): boolean {
    return !this.isAtStart && this.#head.trim() === '';
  }

  get isShown(): boolean {
    return this.#fence !== undefined || this.#isInCode || (this.#last !== '' && '"\'“„«‘‹'.includes(this.#last));
  }

  take(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#goOn(text.slice(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#goOn(text.slice(from));
  }

  #goOn(piece: string): void {
    if (piece === '') return;
    if (this.#head.length < maxHead) this.#head += piece.slice(0, maxHead - this.#head.length);
    for (let at = piece.indexOf('`'); at !== -1; at = piece.indexOf('`', at + 1)) this.#isInCode = !this.#isInCode;
    this.#last = piece.charAt(piece.length - 1);
  }

  #endLine(): void {
    // With another backtick in it, a line of backticks is code in a line.
    const mark = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?!.*`)|~{3,})/.exec(this.#head)?.[1];
    if (this.#fence === undefined) this.#fence = mark;
    else if (mark?.startsWith(this.#fence) && this.#head.trim() === mark) this.#fence = undefined;
    this.#head = '';
    this.#isInCode = false;
    this.#last = '';
  }
}
