// Texts that have the shape of a key, whoever made it: found without being known.

import { struck } from './strike.ts';
import type { Search, Span } from './struck-stream.ts';

/** For texts that come in pieces. */
export const keyShapes: Search = {
  next: nextShape,
  open: openShape,
  isPlain: (text) => (text.length < shortestShape || !hasLongRun(text)) && openShape(text, 0) === text.length,
};

// Each shape is bounded at both ends: below, so that words that only begin like a key are left alone; above, so that a
// stream knows how much it may have to hold back.
// In JSON a letter may stand before a key that is none of a word: the sign of a new line.
const border = String.raw`(?<!(?<!\\)[A-Za-z\d])`;
const random = String.raw`(?=[\w-]{0,80}?(?=[A-Za-z]{0,9}\d)[A-Za-z\d]{10})`;
const digit = String.raw`(?=[\w.-]{0,64}?\d)`;
const tokens = [
  String.raw`sk-${random}[\w-]{20,512}`,
  String.raw`gh[pousr]_[A-Za-z\d]{20,255}`,
  String.raw`github_pat_\w{22,255}`,
  String.raw`glpat-${random}[\w-]{20,255}`,
  String.raw`xox[abeprs]-${digit}[A-Za-z\d-]{16,255}`,
  String.raw`xapp-${digit}[A-Za-z\d-]{16,255}`,
  String.raw`xai-${digit}[A-Za-z\d]{20,255}`,
  String.raw`pplx-${digit}[A-Za-z\d]{20,255}`,
  String.raw`A(?:KI|SI)A[A-Z\d]{16}(?![A-Za-z\d])`,
  String.raw`AIza[\w-]{35,128}`,
  String.raw`gsk_${digit}[A-Za-z\d]{20,255}`,
  String.raw`hf_${digit}[A-Za-z\d]{20,255}`,
  String.raw`[sr]k_(?:live|test)_[A-Za-z\d]{16,255}`,
  String.raw`npm_[A-Za-z\d]{36,255}`,
  String.raw`SG\.${digit}[\w-]{16,64}\.[\w-]{16,128}`,
  String.raw`(?<!(?<!\\)[\w-])eyJ[\w-]{10,2048}\.eyJ[\w-]{10,8192}\.[\w-]{10,2048}`,
  String.raw`(?:[Bb]earer|BEARER)\s{1,4}(?=[\w.~+/-]{0,80}?(?=[A-Za-z]{0,9}\d)[A-Za-z\d]{10})[\w.~+/-]{20,14000}=*`,
].join('|');
const pemBody = String.raw`(?:[A-Za-z\d+/=\s:,.]|\\{1,4}[nrt]|-(?!----))`;
const pem = String.raw`-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=${pemBody}{0,400}?[A-Za-z\d+/]{32})${pemBody}{0,12000}(?:-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`;
const shape = new RegExp(`${border}(?:${tokens})|${pem}`, 'g');

/** The shortest run of characters without which there is no key. */
export const shortestShape = 20;
/** Longer than any shape in one piece; only those with dots in them, a space or lines go on for longer. */
const longestPlain = 600;
/** Longer than any shape: what has gone on for so long is none. */
const longest = 16_000;

// By character code: 1 what a key consists of, 2 what its first word consists of.
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (/[\w.~+/=-]/.test(character) ? 1 : 0) | (/[A-Za-z\d]/.test(character) ? 2 : 0);
});

export function hasShape(text: string): boolean {
  return hasLongRun(text) && text.search(shape) >= 0;
}

export function strikeShapes(text: string, mark: string): string {
  return hasLongRun(text) ? text.replace(shape, mark) : text;
}

/** A text for whoever looks on, without anything that looks like a key. */
export function withoutKeys(text: string): string {
  return strikeShapes(text, struck);
}

/** The first one from a position on. */
function nextShape(text: string, from: number): Span | undefined {
  if (text.length - from < shortestShape || !hasLongRun(text)) return undefined;
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
  while (start + shortestShape <= text.length) {
    let at = start + shortestShape - 1;
    while (at >= start && isRunCharacter(text.charCodeAt(at))) at--;
    if (at < start) return true;
    start = at + 1;
  }
  return false;
}

function isRunCharacter(code: number): boolean {
  return code < 128 && ((classes[code] ?? 0) & 1) !== 0;
}

const begins = [
  ['sk-', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'AKIA', 'ASIA', 'AIza', 'gsk_', 'hf_'],
  [
    'xoxa-',
    'xoxb-',
    'xoxe-',
    'xoxp-',
    'xoxr-',
    'xoxs-',
    'xapp-',
    'xai-',
    'pplx-',
    'sk_live_',
    'sk_test_',
    'rk_live_',
    'rk_test_',
  ],
  ['npm_', 'SG.', 'eyJ', 'Bearer', 'bearer', 'BEARER'],
].flat();
const pemBegin = '-----BEGIN';

/** By their first characters. */
const beginsBy = Map.groupBy([...begins, pemBegin], (whole) => whole.charCodeAt(0));

/** From where on a text that goes on could turn out to be a key; its length when nowhere. */
function openShape(text: string, from: number): number {
  const run = Math.max(from, startOfRun(text));
  return Math.min(openPem(text, from), openBearer(text, run, from), openToken(text, run));
}

/** A key begins within the run of characters that the text ends with: all that a key consists of is one run. */
function openToken(text: string, run: number): number {
  const from = Math.max(run, text.length - longestPlain);
  const long = from > run ? text.indexOf('eyJ', run) : -1;
  if (long >= 0 && long < from) return long;
  let isWord = from > 0 && isAlphanumeric(text.charCodeAt(from - 1));
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    // A look at two characters of each word, which is nearly always the end of it.
    const isPair = pairs[(code << 7) | second] === 1;
    if (isPair && (!isWord || code === dash || isEscaped(text, at)) && isBegun(text, at)) return at;
    isWord = isAlphanumeric(code);
  }
  return text.length;
}

const dash = 45;

/** By two characters that follow each other; the second is 0 where there is none yet. */
const pairs = new Uint8Array(1 << 14);
for (const whole of [...begins, pemBegin])
  for (const second of [0, whole.charCodeAt(1)]) pairs[(whole.charCodeAt(0) << 7) | second] = 1;

/** Whether a key begins there, as far as the text goes. */
function isBegun(text: string, at: number): boolean {
  for (const whole of beginsBy.get(text.charCodeAt(at)) ?? [])
    if (text.length - at < whole.length ? whole.startsWith(text.slice(at)) : text.startsWith(whole, at))
      return whole !== pemBegin || text.length - at < whole.length;
  return false;
}

/** Whether the letter before may be no letter of a word, but part of a sign such as that of a new line in JSON. */
function isEscaped(text: string, at: number): boolean {
  return at === 1 || text.charAt(at - 2) === '\\';
}

function isAlphanumeric(code: number): boolean {
  return code < 128 && ((classes[code] ?? 0) & 2) !== 0;
}

function startOfRun(text: string): number {
  const least = Math.max(0, text.length - longest);
  let at = text.length;
  while (at > least && isRunCharacter(text.charCodeAt(at - 1))) at--;
  return at;
}

/** The one shape that goes on after a space. */
function openBearer(text: string, run: number, from: number): number {
  // The word before, looked at from its end: it is hardly ever this one.
  let end = run;
  while (end > from && end > run - 4 && !isRunCharacter(text.charCodeAt(end - 1))) end--;
  if (end === run || (text.charCodeAt(end - 1) | 32) !== 114) return text.length;
  const near = Math.max(from, run - 11);
  const found = /(?<![A-Za-z\d])(?:[Bb]earer|BEARER)\s{1,4}$/.exec(text.slice(near, run));
  return found && text.length - run <= longest ? near + found.index : text.length;
}

/** The one that goes on for lines. */
function openPem(text: string, from: number): number {
  if (text.length < pemBegin.length) return text.length;
  const least = Math.max(from, text.length - longest);
  for (let at = text.indexOf(pemBegin, least); at >= 0; at = text.indexOf(pemBegin, at + 1))
    if (unendedPem.test(text.slice(at))) return at;
  return text.length;
}

const unendedPem = /^-----BEGIN(?:[A-Za-z\d+/=\s\\:,.]|-(?!----END [A-Z\d ]{0,60}-----))*$/;
