// What words in a message would do to people: call them, or send them elsewhere than they read. Written from Slack's formatting rules.
import { type Thing, textOf, thingOf } from './values.ts';

/** A breach: `word` is what Slack refuses it with; without one it is taken, and is wrong all the same. */
export type Tell = (sentence: string, word?: string) => void;

/** Ids that a test lets be mentioned. */
export type Allowed = ReadonlySet<string>;

export interface TextRule {
  readonly where: string;
  readonly max: number;
  readonly plainOnly?: boolean;
}

const MENTIONS = /<(?:!(?:channel|here|everyone|subteam\^)|[@#])[^>]*>/g;
const MRKDWN_LINK = /<((?:https?|mailto|tel):[^|>]*)\|([^>]*)>/g;
const MARKDOWN_LINK = /\[([^\]]*)\]\(\s*<?((?:https?|mailto):[^)\s>]*)/g;
const TOP_LEVEL = 'com|org|net|io|dev|gov|edu|co|ai|app';
const ADDRESS = new RegExp(
  `^\\s*(?:(?:https?:)?//|www\\.)\\S+|^\\s*(?:[a-z0-9-]+\\.)+(?:${TOP_LEVEL})(?:[/:?#]\\S*)?\\s*$`,
  'i',
);

export function checkTextObject(text: unknown, rule: TextRule, tell: Tell, allowed: Allowed): void {
  const { type, text: words } = thingOf(text);
  if (type !== 'plain_text' && (type !== 'mrkdwn' || rule.plainOnly === true))
    tell(`${rule.where} is of type ${String(type)}`, 'invalid_blocks');
  if (typeof words !== 'string' || words === '') {
    tell(`${rule.where} is empty`, 'invalid_blocks');
    return;
  }
  if (words.length > rule.max) tell(`${rule.where} has ${words.length} characters, of ${rule.max}`, 'invalid_blocks');
  if (type === 'mrkdwn') checkWords(words, rule.where, tell, allowed);
}

/** Words that Slack reads signs in: `text`, `mrkdwn`, Markdown. */
export function checkWords(words: string, where: string, tell: Tell, allowed: Allowed): void {
  for (const [mention] of words.matchAll(MENTIONS)) {
    const id = /^<[@#]([A-Z0-9]+)/.exec(mention)?.[1];
    if (id === undefined ? mention.startsWith('<!') : !allowed.has(id)) tell(`${where} mentions ${mention}`);
  }
  for (const [, url, label] of words.matchAll(MRKDWN_LINK)) checkLink(url ?? '', label, where, tell);
  for (const [, label, url] of words.matchAll(MARKDOWN_LINK)) checkLink(url ?? '', label, where, tell);
}

export function checkLink(url: string, label: unknown, where: string, tell: Tell): void {
  if (url === '') tell(`${where} has a link to nowhere`, 'invalid_blocks');
  else if (url.length > 3000) tell(`${where} has an address of ${url.length} characters, of 3000`, 'invalid_blocks');
  else if (!/^(?:https?|mailto|tel):/i.test(url)) tell(`${where} has a link to ${url.slice(0, 80)}`);
  const seen = textOf(label);
  if (ADDRESS.test(seen) && hostOf(seen) !== hostOf(url)) tell(`${where} has a link to ${url} that reads ${seen}`);
}

export function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

export function lengthOf(thing: Thing, key: string): number {
  const value = thing[key];
  return Array.isArray(value) ? value.length : sizeOf(value);
}

function hostOf(address: string): string {
  const trimmed = address.trim().replace(/^\/\//, '');
  const whole = /^[a-z]+:/i.test(trimmed) && !/^[^/]+:\d/.test(trimmed) ? trimmed : `https://${trimmed}`;
  try {
    return new URL(whole).hostname.replace(/^www\./, '');
  } catch {
    return whole;
  }
}
