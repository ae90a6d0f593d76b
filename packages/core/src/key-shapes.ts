// Texts that have the shape of a key, whoever made it: found without being known.

/** Where something to strike out begins and ends. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

// Each shape is bounded at both ends: below, so that words that only begin like a key are left alone; above, so that a
// stream knows how much it may have to hold back.
const random = String.raw`(?=[\w-]{0,80}?(?:[A-Za-z]{16}|(?=[A-Za-z]{0,9}\d)[A-Za-z\d]{10}))`;
const tokens = [
  String.raw`sk-${random}[\w-]{20,512}`,
  String.raw`gh[pousr]_[A-Za-z\d]{20,255}`,
  String.raw`github_pat_\w{22,255}`,
  String.raw`glpat-${random}[\w-]{20,255}`,
  String.raw`xox[abeprs]-[A-Za-z\d-]{16,255}`,
  String.raw`xapp-[A-Za-z\d-]{16,255}`,
  String.raw`A(?:KI|SI)A[A-Z\d]{16}(?![A-Za-z\d])`,
  String.raw`AIza[\w-]{35,128}`,
  String.raw`gsk_[A-Za-z\d]{20,255}`,
  String.raw`hf_[A-Za-z\d]{20,255}`,
  String.raw`[sr]k_(?:live|test)_[A-Za-z\d]{16,255}`,
  String.raw`npm_[A-Za-z\d]{36,255}`,
  String.raw`SG\.[\w-]{16,64}\.[\w-]{16,128}`,
  String.raw`(?<![\w-])eyJ[\w-]{10,2048}\.eyJ[\w-]{10,8192}\.[\w-]{10,2048}`,
  String.raw`(?:[Bb]earer|BEARER)\s{1,4}(?=[\w.~+/-]{0,80}?(?:[A-Za-z]{16}|(?=[A-Za-z]{0,9}\d)[A-Za-z\d]{10}))[\w.~+/-]{20,14000}=*`,
].join('|');
const pemBody = String.raw`(?:[A-Za-z\d+/=\s:,.]|\\{1,4}[nrt]|-(?!----))`;
const pem = String.raw`-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=${pemBody}{0,400}?[A-Za-z\d+/]{32})${pemBody}{0,12000}(?:-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`;
const shape = new RegExp(`(?<![A-Za-z\\d])(?:${tokens})|${pem}`, 'g');

/** The shortest run of characters without which there is no key. */
const shortestRun = 20;
/** Longer than any shape: what has gone on for so long is none. */
const longest = 16_000;

const runCharacters = Array.from({ length: 128 }, (_, code) => /[\w.~+/=-]/.test(String.fromCharCode(code)));

export function hasShape(text: string): boolean {
  return hasLongRun(text) && text.search(shape) >= 0;
}

export function strikeShapes(text: string, mark: string): string {
  return hasLongRun(text) ? text.replace(shape, mark) : text;
}

/** The first one from a position on. */
export function nextShape(text: string, from: number): Span | undefined {
  if (text.length - from < shortestRun || !hasLongRun(text)) return undefined;
  shape.lastIndex = from;
  const found = shape.exec(text);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}

/**
 * Whether a key could be in it at all. Looks at one character in twenty where it can: this is asked of every text that
 * anybody is told.
 */
function hasLongRun(text: string): boolean {
  let start = 0;
  while (start + shortestRun <= text.length) {
    let at = start + shortestRun - 1;
    while (at >= start && isRunCharacter(text.charCodeAt(at))) at--;
    if (at < start) return true;
    start = at + 1;
  }
  return false;
}

function isRunCharacter(code: number): boolean {
  return code < 128 && runCharacters[code] === true;
}

const begins = [
  ['sk-', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'AKIA', 'ASIA', 'AIza', 'gsk_', 'hf_'],
  ['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
  ['npm_', 'SG.', 'eyJ', 'Bearer', 'bearer', 'BEARER'],
].flat();
const pemBegin = '-----BEGIN';
const begin = new RegExp(`(?<![A-Za-z\\d])(?:${begins.join('|').replaceAll('.', '\\.')})`, 'g');
const halfBegin = new RegExp(
  `(?:(?<![A-Za-z\\d])(?:${[...new Set(begins.flatMap(halves))].join('|').replaceAll('.', '\\.')})|${halves(pemBegin).join('|')})$`,
);

function halves(whole: string): readonly string[] {
  return Array.from(whole.slice(1), (_, i) => whole.slice(0, i + 1)).reverse();
}

/** From where on a text that goes on could turn out to be a key; its length when nowhere. */
export function openShape(text: string, from: number): number {
  const run = Math.max(from, startOfRun(text));
  return Math.min(openPem(text, from), openBearer(text, run, from), openToken(text, run));
}

/** A key begins within the run of characters that the text ends with: all that a key consists of is one run. */
function openToken(text: string, run: number): number {
  if (!mayBegin(text, run)) return text.length;
  begin.lastIndex = run;
  const begun = begin.exec(text)?.index ?? text.length;
  // One character before it is looked at too: a word that goes on does not begin a key.
  const near = Math.max(run - 1, text.length - longestBegin, 0);
  const half = halfBegin.exec(text.slice(near));
  return half && near + half.index >= run ? Math.min(begun, near + half.index) : begun;
}

/** A look at two characters of each word: asked of every piece of a text, and nearly always the end of it. */
function mayBegin(text: string, run: number): boolean {
  let isWord = run > 0 && isAlphanumeric(text.charCodeAt(run - 1));
  for (let at = run; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isNext = at + 1 < text.length;
    if (!isWord && (isNext ? pairs.has((code << 7) | text.charCodeAt(at + 1)) : firsts.has(code))) return true;
    isWord = isAlphanumeric(code);
  }
  return false;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

const firsts = new Set([...begins, pemBegin].map((whole) => whole.charCodeAt(0)));
const pairs = new Set([...begins, pemBegin].map((whole) => (whole.charCodeAt(0) << 7) | whole.charCodeAt(1)));

const longestBegin = 1 + Math.max(pemBegin.length, ...begins.map(({ length }) => length));

function startOfRun(text: string): number {
  const least = Math.max(0, text.length - longest);
  let at = text.length;
  while (at > least && isRunCharacter(text.charCodeAt(at - 1))) at--;
  return at;
}

/** The one shape that goes on after a space. */
function openBearer(text: string, run: number, from: number): number {
  if (run === 0 || !/\s/.test(text.charAt(run - 1))) return text.length;
  const near = Math.max(from, run - 11);
  const found = /(?<![A-Za-z\d])(?:[Bb]earer|BEARER)\s{1,4}$/.exec(text.slice(near, run));
  return found && text.length - run <= longest ? near + found.index : text.length;
}

/** The one that goes on for lines. */
function openPem(text: string, from: number): number {
  const least = Math.max(from, text.length - longest);
  for (let at = text.indexOf(pemBegin, least); at >= 0; at = text.indexOf(pemBegin, at + 1))
    if (unendedPem.test(text.slice(at))) return at;
  return text.length;
}

const unendedPem = /^-----BEGIN(?:[A-Za-z\d+/=\s\\:,.]|-(?!----END [A-Z\d ]{0,60}-----))*$/;
