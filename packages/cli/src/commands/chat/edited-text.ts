// Text that is being typed, of one line or several, and where the cursor is in it.

/** What people see as one letter may be several code points. */
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function lettersOf(text: string): readonly string[] {
  return Array.from(letters.segment(text), ({ segment }) => segment);
}

export class EditedText {
  #text = '';
  #cursor = 0;
  /** What was cut out last, to be put in again. */
  #cut = '';

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** The cursor is at its end. */
  set(text: string): void {
    this.#text = text;
    this.#cursor = text.length;
  }

  insert(text: string): void {
    this.#text = this.#before + text + this.#after;
    this.#cursor += text.length;
  }

  deleteBack(): void {
    this.#remove(this.#left(), this.#cursor);
  }

  deleteNext(): void {
    this.#remove(this.#cursor, this.#right());
  }

  deleteWord(): void {
    this.#cutOut(this.#wordLeft(), this.#cursor);
  }

  deleteWordNext(): void {
    this.#cutOut(this.#cursor, this.#wordRight());
  }

  /** On the same line. */
  deleteToStart(): void {
    this.#cutOut(this.#lineStart(), this.#cursor);
  }

  /** On the same line; at its end, the break behind it. */
  deleteToEnd(): void {
    const end = this.#lineEnd();
    this.#cutOut(this.#cursor, end === this.#cursor ? this.#right() : end);
  }

  putBack(): void {
    this.insert(this.#cut);
  }

  toLeft(): void {
    this.#cursor = this.#left();
  }

  toRight(): void {
    this.#cursor = this.#right();
  }

  toWordLeft(): void {
    this.#cursor = this.#wordLeft();
  }

  toWordRight(): void {
    this.#cursor = this.#wordRight();
  }

  toLineStart(): void {
    this.#cursor = this.#lineStart();
  }

  toLineEnd(): void {
    this.#cursor = this.#lineEnd();
  }

  /** Whether there is a line above. */
  toLineAbove(): boolean {
    const start = this.#lineStart();
    if (start === 0) return false;
    const above = this.#text.lastIndexOf('\n', start - 2) + 1;
    this.#cursor = this.#along(above, start - 1, this.#place(start));
    return true;
  }

  /** Whether there is a line below. */
  toLineBelow(): boolean {
    const end = this.#lineEnd();
    if (end === this.#text.length) return false;
    const place = this.#place(this.#lineStart());
    const endBelow = this.#text.indexOf('\n', end + 1);
    this.#cursor = this.#along(end + 1, endBelow < 0 ? this.#text.length : endBelow, place);
    return true;
  }

  get #before(): string {
    return this.#text.slice(0, this.#cursor);
  }

  get #after(): string {
    return this.#text.slice(this.#cursor);
  }

  #remove(from: number, to: number): void {
    this.#text = this.#text.slice(0, from) + this.#text.slice(to);
    this.#cursor = from;
  }

  #cutOut(from: number, to: number): void {
    if (from < to) this.#cut = this.#text.slice(from, to);
    this.#remove(from, to);
  }

  #left(): number {
    return this.#cursor - (lettersOf(this.#before).at(-1)?.length ?? 0);
  }

  #right(): number {
    return this.#cursor + (lettersOf(this.#after)[0]?.length ?? 0);
  }

  #wordLeft(): number {
    return /[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(this.#before)?.index ?? 0;
  }

  #wordRight(): number {
    return this.#cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(this.#after)?.[0].length ?? 0);
  }

  #lineStart(): number {
    return this.#before.lastIndexOf('\n') + 1;
  }

  #lineEnd(): number {
    const found = this.#text.indexOf('\n', this.#cursor);
    return found < 0 ? this.#text.length : found;
  }

  /** How many letters of its line are before the cursor. */
  #place(start: number): number {
    return lettersOf(this.#text.slice(start, this.#cursor)).length;
  }

  #along(start: number, end: number, place: number): number {
    return start + lettersOf(this.#text.slice(start, end)).slice(0, place).join('').length;
  }
}
