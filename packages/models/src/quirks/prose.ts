// Walks through a text from left to right and stops where something may begin that is not quoted.

/** Fences, code in a line, and lines that begin with `>` are quotations: what stands there is shown, not done. */
export class Prose {
  at = 0;
  /** Nothing but blanks before it on its line. */
  isLineStart = true;
  #line: 'blank' | 'quoted' | 'words' = 'blank';
  #fence: { readonly mark: string; readonly size: number } | undefined;
  #code = 0;
  /** The character before `at`, when it is not in the text any more. */
  #before = '';

  /** Goes on to the next `<` or `[`. False at the end, also where only more of the text could tell. */
  next(text: string, isWhole: boolean): boolean {
    while (this.at < text.length) {
      if (this.#line === 'blank') this.at = skipSpaces(text, this.at);
      const mark = text[this.at] ?? '';
      if (this.#isCandidate(text, mark)) return true;
      if (!this.#go(text, mark, isWhole)) return false;
    }
    return false;
  }

  #go(text: string, mark: string, isWhole: boolean): boolean {
    if (mark === '`' || (mark === '~' && this.#line === 'blank')) {
      const size = runLength(text, this.at);
      if (this.at + size === text.length && !isWhole && size < maxRun) return false;
      this.#run(mark, size);
    } else if (mark === '\n') this.#newLine();
    else if (mark !== '') this.pass(text);
    return mark !== '';
  }

  /** What stands here is none: on to the next character that means something. */
  pass(text: string): void {
    if (this.#line === 'blank') this.#line = text[this.at] === '>' ? 'quoted' : 'words';
    const stop = this.#fence || this.#line === 'quoted' ? quotedStop : proseStop;
    stop.lastIndex = this.at + 1;
    this.at = stop.exec(text)?.index ?? text.length;
  }

  /** Something else was read up to here; what follows is as good as on a new line. */
  goTo(at: number): void {
    this.at = at;
    this.#line = 'blank';
  }

  /** The text before `at` goes away. */
  forget(text: string): void {
    this.#before = text[this.at - 1] ?? this.#before;
    this.at = 0;
  }

  /** Whether a piece that follows on what was walked through leaves everything as it is; then it counts as walked through. */
  isUntouchedBy(piece: string): boolean {
    if (this.#line === 'blank' || this.at > 0 || /[<[`\n]/.test(piece)) return false;
    this.#before = piece.at(-1) ?? this.#before;
    return true;
  }

  #isCandidate(text: string, mark: string): boolean {
    if ((mark !== '<' && mark !== '[') || this.#fence || this.#code > 0 || this.#line === 'quoted') return false;
    this.isLineStart = this.#line === 'blank';
    const before = text[this.at - 1] ?? this.#before;
    return !quotes.includes(before) || before === '';
  }

  #newLine(): void {
    this.#line = 'blank';
    this.#code = 0;
    this.at++;
  }

  /** Code in a line goes to as many backticks as it began with, or to the end of the line. */
  #run(mark: string, size: number): void {
    const isFence = this.#line === 'blank' && size >= 3;
    if (this.#fence) {
      if (isFence && mark === this.#fence.mark && size >= this.#fence.size) this.#fence = undefined;
    } else if (isFence) this.#fence = { mark, size };
    else if (mark === '`') this.#code = this.#code === size ? 0 : this.#code || size;
    this.#line = this.#line === 'blank' ? 'words' : this.#line;
    this.at += size;
  }
}

const quotes = '"\'`“‘«„';

const maxRun = 100;

const proseStop = /[<[`\n]/g;
const quotedStop = /[`\n]/g;

function runLength(text: string, at: number): number {
  const mark = text[at];
  let end = at + 1;
  while (text[end] === mark) end++;
  return end - at;
}

function skipSpaces(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ' || text[end] === '\t' || text[end] === '\r') end++;
  return end;
}
