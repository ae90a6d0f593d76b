// How tool calls begin that a model wrote as text: known by their first characters, or known not to be any.

import { findOffered, type Offer } from './offer.ts';
import type { Prose } from './prose.ts';

export type Likeness = 'yes' | 'no' | 'maybe';

/** Tags around calls; a namespace before the name changes nothing. */
export const wrappers = ['tool_call', 'tool_calls', 'tools', 'function_call', 'function_calls'] as const;

/** Tags that are a call: their name is in them. */
export const elements = ['invoke', 'function'] as const;

/** A namespace, as in `antml:` or `minimax:`, or the mark that one model writes in its place. */
export const namespace = '(?:[A-Za-z][\\w-]{0,30}:|｜DSML｜)?';

/** Tokens that are no text at all, had the server done its work, and what may follow them. */
const tokens: readonly (readonly [token: string, body: RegExp])[] = [
  ['[TOOL_CALLS]', /[[{A-Za-z_]/],
  ['<|tool_call|>', /[[{]/],
  ['<|tool_calls|>', /[[{]/],
  ['<|python_tag|>', /[[{]/],
  ['<|tool_calls_section_begin|>', /</],
  ['<|tool_call_begin|>', /[A-Za-z_]/],
  ['<｜tool▁calls▁begin｜>', /</],
  ['<｜tool▁call▁begin｜>', /[A-Za-z_]/],
];

const dsml = '<｜DSML｜';

/** Blanks between an opening and what it opens, and characters of one tag, are looked through up to here. */
const maxBlank = 200;
const maxTag = 200;
const maxBody = 600;

export interface Place {
  readonly text: string;
  readonly at: number;
  /** Nothing but blanks is before it. */
  readonly isFirst: boolean;
}

export interface Line {
  readonly text: string;
  readonly at: number;
  /** What was before the line. */
  readonly prose: Prose;
}

/** Whether calls begin with a line: after at most three spaces, where nothing is quoted. */
export function lineOpening({ text, at, prose }: Line, offer: Offer): { opening: Likeness; indent: number } {
  let indent = 0;
  while (indent < 4 && text[at + indent] === ' ') indent++;
  if (!prose.isSaidAt(indent)) return { opening: 'no', indent };
  const mark = text[at + indent];
  if (mark === undefined) return { opening: 'maybe', indent };
  if (mark !== '<' && mark !== '[') return { opening: 'no', indent };
  return { opening: openingAt({ text, at: at + indent, isFirst: prose.isFirst }, offer), indent };
}

/** 'maybe' when the text is too short to be sure. */
export function openingAt(place: Place, offer: Offer): Likeness {
  const { text, at } = place;
  let answer: Likeness = isStartOf(text, at, dsml) ? 'maybe' : 'no';
  for (const [token, body] of tokens) {
    if (text.startsWith(token, at)) return bodyAt(text, at + token.length, (rest) => fits(body, rest));
    if (isStartOf(text, at, token)) answer = 'maybe';
  }
  return answer === 'no' && text[at] === '<' ? tagAt(place, offer) : answer;
}

export function isToken(text: string, at: number): boolean {
  return tokens.some(([token]) => text.startsWith(token, at));
}

function isStartOf(text: string, at: number, word: string): boolean {
  return text.length - at < word.length && word.startsWith(text.slice(at));
}

function fits(body: RegExp, rest: string): Likeness {
  return body.test(rest[0] as string) ? 'yes' : 'no';
}

function bodyAt(text: string, from: number, judge: (rest: string) => Likeness): Likeness {
  let at = from;
  while (at - from < maxBlank && /\s/.test(text[at] ?? '.')) at++;
  if (at - from === maxBlank) return 'no';
  return at === text.length ? 'maybe' : judge(text.slice(at, at + maxBody));
}

const tagName = new RegExp(`<${namespace}([A-Za-z_][\\w.-]{0,63})?`, 'y');

function tagAt({ text, at, isFirst }: Place, offer: Offer): Likeness {
  tagName.lastIndex = at;
  const name = tagName.exec(text)?.[1] ?? '';
  const end = tagName.lastIndex;
  if (end === text.length) return isStartOfName(name, text.slice(at), offer) ? 'maybe' : 'no';
  const kind = kindOf(name, offer);
  // Names of tools are often plain words: such a tag has to be all there is.
  if (kind === undefined || (kind === 'tool' && !isFirst && !name.includes('__'))) return 'no';
  if (text[end] !== '>') return kind === 'tool' ? 'no' : attributesAt(text, end);
  return bodyAt(text, end + 1, (rest) => (name === 'invoke' ? nameTagIn(rest) : bodyOf(kind, name, rest, offer)));
}

/** Without a name in its own tag, it has one in the next. */
function nameTagIn(rest: string): Likeness {
  const tags = ['<tool_name>', '<name>'];
  if (tags.some((one) => rest.startsWith(one))) return 'yes';
  return tags.some((one) => one.startsWith(rest)) ? 'maybe' : 'no';
}

function attributesAt(text: string, from: number): Likeness {
  if (!/[\s=]/.test(text[from] as string)) return 'no';
  const end = from + (/^[^<>\n]*/.exec(text.slice(from, from + maxTag))?.[0].length ?? 0);
  if (end === text.length && end - from < maxTag) return 'maybe';
  return text[end] === '>' ? bodyAt(text, end + 1, (rest) => fits(/[{<]/, rest)) : 'no';
}

function isStartOfName(name: string, tag: string, { tools }: Offer): boolean {
  if (tag.length > 100) return false;
  // Still short enough to turn out to be a namespace.
  if (name === '' || /^<[A-Za-z][\w-]{0,30}$/.test(tag)) return true;
  const known = (word: string) => word.startsWith(name);
  return wrappers.some(known) || elements.some(known) || tools.some((tool) => known(tool.name));
}

type Kind = 'wrapper' | 'element' | 'tool';

function kindOf(name: string, { tools }: Offer): Kind | undefined {
  if (wrappers.some((word) => word === name)) return 'wrapper';
  if (elements.some((word) => word === name)) return 'element';
  return tools.some((tool) => tool.name === name) ? 'tool' : undefined;
}

function bodyOf(kind: Kind, name: string, rest: string, offer: Offer): Likeness {
  if (fits(kind === 'tool' ? /[{<]/ : /[[{<`]/, rest) === 'yes') return 'yes';
  if (name !== 'tool_call') return 'no';
  // One model writes the bare name of the tool here.
  const word = /^[\w.:-]+/.exec(rest)?.[0] ?? '';
  if (word !== '' && word === rest && word.length < maxTag) return 'maybe';
  return findOffered(word, offer.tools) ? 'yes' : 'no';
}

/** For what is a call only when it is the entire text: bare JSON, or something in a fence. */
export function wholeOpening(text: string, offer: Offer): Likeness {
  if (text === '') return 'maybe';
  if (text[0] === '{' || text[0] === '[') return bareOpening(text, offer);
  if (text[0] !== '`') return 'no';
  const fence = /^```[\w-]{0,20}\s/.exec(text)?.[0];
  if (!fence) return /^`{1,3}$|^```[\w-]{0,20}$/.test(text) ? 'maybe' : 'no';
  const judge = (rest: string): Likeness => {
    const bare = bareOpening(rest, offer);
    return bare === 'no' ? openingAt({ text: rest, at: 0, isFirst: true }, offer) : bare;
  };
  return bodyAt(text, fence.length, judge);
}

const keys = ['name', 'arguments', 'parameters', 'input', 'args', 'function', 'type', 'id'];

function bareOpening(text: string, { tools }: Offer): Likeness {
  const found = /^(?:\[\s{0,99})?(?:\{\s{0,99})?(?:["'](\w{0,12})(["']?))?/.exec(text);
  if (!found || found[0] === '') return 'no';
  const [all, key = '', quote = ''] = found;
  const isAtEnd = all.length === text.length;
  if (isAtEnd) return keys.some((known) => known.startsWith(key)) ? 'maybe' : 'no';
  if (quote === '' || !keys.includes(key)) return 'no';
  return key === 'name' ? nameAt(text.slice(all.length, all.length + maxTag), tools) : 'yes';
}

/** The name of a tool, after its key. */
function nameAt(text: string, tools: Offer['tools']): Likeness {
  const found = /^\s{0,20}(?::\s{0,20}(?:(["'])([^"'\n]{0,128})(["']?))?)?/.exec(text);
  const [all = '', open, name = '', close] = found ?? [];
  if (open !== undefined && close === open) return findOffered(name, tools) ? 'yes' : 'no';
  return all.length === text.length && text.length < maxTag ? 'maybe' : 'no';
}

/** With a JSON contract: whether this may be the answer, in which nothing else is looked for. */
export function mayBeReport(text: string): Likeness {
  const list = '[TOOL_CALLS]';
  if (text[0] !== '[') return text[0] === '{' || text.startsWith('```') ? 'yes' : 'no';
  if (text.length < list.length && list.startsWith(text)) return 'maybe';
  return text.startsWith(list) ? 'no' : 'yes';
}
