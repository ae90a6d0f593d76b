// Goes through a text line by line, and knows whether what comes next is said, or shown: quoted, in code, as an example.

/** Whatever is in doubt is shown. */
export class Prose {
  /** Nothing but blanks so far. */
  isFirst = true;
  #fence: Fence | undefined;
  #element: { readonly name: string; depth: number } | undefined;
  #code = 0;
  #closingQuotes = '';
  #container: 'list' | 'list-after-blank' | 'quote' | undefined;
  #isLabelled = false;
  #isTranscript = false;

  /** Whether something on the next line, after so many spaces, would be said. */
  isSaidAt(indent: number): boolean {
    if (this.#fence || this.#element || this.#code > 0 || this.#closingQuotes !== '') return false;
    if (this.#isLabelled || this.#isTranscript || indent > 3) return false;
    return this.#container === undefined || (this.#container === 'list-after-blank' && indent === 0);
  }

  /** One line, without its end. */
  take(line: string): void {
    if (line.trim() === '') {
      this.#endParagraph();
      return;
    }
    this.isFirst = false;
    if (this.#fence) {
      if (closes(line, this.#fence)) this.#fence = undefined;
      return;
    }
    if (!this.#element) {
      this.#place(line);
      this.#fence = fenceIn(line);
      // What a quotation opens ends with it.
      if (this.#fence || quoted.test(line)) return;
    }
    this.#read(line);
  }

  #endParagraph(): void {
    this.#code = 0;
    if (this.#container === 'quote') this.#container = undefined;
    else if (this.#container === 'list') this.#container = 'list-after-blank';
  }

  /** Lines that follow one of a quotation or a list belong to it until a blank one. */
  #place(line: string): void {
    if (quoted.test(line)) this.#container = 'quote';
    else if (/^\s*(?:[-*+•]|\d{1,9}[.)])(?:\s|$)/.test(line)) this.#container = 'list';
    else if (this.#container === 'list-after-blank' && !/^\s/.test(line)) this.#container = undefined;
    this.#isLabelled = isLabel(line);
    this.#isTranscript ||= speaker.test(line.slice(0, 80));
  }

  #read(line: string): void {
    for (const found of line.matchAll(marks)) {
      const [mark, slash, name] = found;
      if (this.#element) this.#readInElement(mark, slash, name);
      else if (mark[0] === '`') this.#code = this.#code === mark.length ? 0 : this.#code || mark.length;
      else if (this.#code === 0) this.#open(found, line);
    }
  }

  #open(found: RegExpExecArray, line: string): void {
    const [mark, slash, name] = found;
    if (mark === '<!--') this.#element = { name: '-->', depth: 1 };
    else if (name === undefined) this.#readQuote(mark, line[found.index - 1] ?? '');
    else if (slash === '' && isOpening(found, line)) this.#element = { name, depth: 1 };
  }

  #readInElement(mark: string, slash: string | undefined, name: string | undefined): void {
    const element = this.#element as { readonly name: string; depth: number };
    if (mark === element.name || (name === element.name && slash === '/')) element.depth--;
    else if (name === element.name && !mark.endsWith('/>')) element.depth++;
    if (element.depth === 0) this.#element = undefined;
  }

  #readQuote(mark: string, before: string): void {
    if (this.#closingQuotes.includes(mark)) this.#closingQuotes = '';
    // As in "the users' words".
    else if (this.#closingQuotes === '' && (mark !== "'" || !/[\p{L}\p{N}]/u.test(before)))
      this.#closingQuotes = quotes[mark] ?? '';
  }
}

const quoted = /^\s*>/;

const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“”',
  '«': '»',
  '»': '«',
  '‘': '’',
  '‹': '›',
  '「': '」',
  '『': '』',
};

const marks =
  /`+|<!--|-->|<(\/?)((?:[A-Za-z][\w-]{0,30}:)?[A-Za-z_][\w.-]{0,63})(?=[\s/>=]|$)(?:[^<>]*>)?|["“”„«»‘’‹›「」『』]|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu;

/** These are never closed, or need not be. */
const single = /^(?:area|base|br|col|dd|dt|hr|img|input|li|link|meta|p|source|td|th|tr|wbr)$/i;

function isOpening({ 0: mark, 2: name = '', index }: RegExpExecArray, line: string): boolean {
  if (single.test(name) || mark.endsWith('/>')) return false;
  // As in List<String>.
  if (/^[A-Z](?:[a-z]|$)/.test(name) && /\w/.test(line[index - 1] ?? '')) return false;
  if (mark.endsWith('>')) return true;
  // A tag that goes on on the next line, and not a comparison.
  const end = index + mark.length;
  const next = line.indexOf('<', end);
  return next === -1 && (line.slice(end).trim() === '' || line.includes('=', end));
}

interface Fence {
  readonly mark: string;
  readonly size: number;
  readonly indent: number;
}

function fenceIn(line: string): Fence | undefined {
  const found = /^(\s*(?:(?:[-*+•]|\d{1,9}[.)])\s+)?)(`{3,}|~{3,})/.exec(line);
  const [all, before = '', run = ''] = found ?? [];
  const mark = run[0];
  if (all === undefined || mark === undefined || (mark === '`' && line.includes('`', all.length))) return undefined;
  return { mark, size: run.length, indent: before.length };
}

function closes(line: string, { mark, size, indent }: Fence): boolean {
  const start = line.length - line.trimStart().length;
  const run = line.trim();
  return start <= indent + 3 && run.length >= size && run === mark.repeat(run.length);
}

/** Who speaks, as in a transcript: all that follows may be somebody else's. */
const speaker =
  /^[^\p{L}]{0,12}(?:user|assistant|human|system|ai|bot|model|agent|tool|function)[^\p{L}]{0,6}?(?::|：|$)|<\|(?:im_start|start_header_id|user|assistant|system)|\[INST\]|<(?:tool|function)_(?:response|result|output)s?>/iu;

const telling =
  /\b(?:examples?|beispiel\w*|exemples?|ejemplos?|esempio|exemplo|e\.g|like|format(?:ted)?|syntax|template|instance|such as|as follows|written|writes?|wrote|says?|said|reads|quot(?:e|es|ed)|shown?|shows|contains?|contained|returned|output|prints?|printed|content|text)\b/i;

/** What follows is called something, or announced as something to look at. */
function isLabel(line: string): boolean {
  const end = line
    .slice(-300)
    .trimEnd()
    .replace(/[*_`]{1,4}$/, '');
  const isHeading = /^\s{0,3}(?:#{1,6}\s|\*\*)/.test(line) && line.length < 200;
  if (!/[:：]$/.test(end)) return isHeading && telling.test(end);
  return telling.test(end) || (line.length < 60 && (line.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= 2);
}
