// A message of Slack as a line for a model: when, who, what, and which files came with it.

import { head, isObject, oneLine } from '@ai-agent/core';
import { mentionedInMessage, type Said, textOfMessage } from './message-text.ts';
import type { LabelOf } from './readable.ts';

export interface Bot {
  /** `U…` */
  readonly user: string;
  /** `B…` */
  readonly id?: string | undefined;
}

/** `[2026-11-16 10:02 UTC] Jane: text`. Further lines are indented, so that no text can pass for a message. Undefined when there is nothing to tell. */
export function toLine(message: Said, bot: Bot, labelOf: LabelOf): string | undefined {
  const words = textOfMessage(message, labelOf);
  const files = namesOfFiles(message);
  const text = [words, files].filter((part) => part !== '').join('\n');
  if (text === '') return undefined;
  const who = isOfOurs(message, bot) ? ourName : authorOf(message, labelOf);
  return `[${timeOf(message)}] ${who}: ${text.split(lineEnds).join('\n    ')}`;
}

const ourName = 'You (this agent)';

/** Words that somebody said: not who came, went or changed the topic. */
export function isSaid(value: unknown): value is Said {
  if (!isObject(value) || !Number.isFinite(timestampOf(value))) return false;
  return value.subtype === undefined || saidKinds.has(value.subtype);
}

export function isOfOurs({ user, bot_id }: Said, bot: Bot): boolean {
  return user === bot.user || (bot.id !== undefined && bot_id === bot.id);
}

/** Whose names it takes to read it. */
export function peopleIn(message: Said): readonly string[] {
  const { user } = message;
  return [...(typeof user === 'string' ? [user] : []), ...mentionedInMessage(message)];
}

/** Seconds; not a number when there is none that a date could be made of. */
export function timestampOf({ ts }: Said): number {
  const seconds = typeof ts === 'string' && /^\d{1,11}(?:\.\d+)?$/.test(ts) ? Number(ts) : Number.NaN;
  return seconds;
}

const saidKinds: ReadonlySet<unknown> = new Set(['bot_message', 'thread_broadcast', 'file_share', 'me_message']);

// Every sign that some reader takes for the end of a line.
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function authorOf({ user, username, bot_profile, bot_id }: Said, labelOf: LabelOf): string {
  const profile = isObject(bot_profile) ? bot_profile.name : undefined;
  const names = [typeof user === 'string' ? labelOf(user) : undefined, username, profile, user, bot_id];
  const name = names.find(
    (one): one is string => typeof one === 'string' && oneLine(one) !== '' && !lettersOf(one).includes(ourLetters),
  );
  return head(oneLine(name ?? 'somebody'), 80);
}

/** What is left of a name when nobody looks closely. */
function lettersOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}|[^\p{L}\p{N}]/gu, '');
}

const ourLetters = lettersOf(ourName);

function namesOfFiles({ files }: Said): string {
  if (!Array.isArray(files)) return '';
  const names = files.filter(isObject).map(({ name, title }) => [name, title].find((one) => typeof one === 'string'));
  const shown = names.map(
    (name) => `(file: ${head(oneLine(typeof name === 'string' ? name : 'without a name'), 200)})`,
  );
  return shown.join(' ');
}

function timeOf(message: Said): string {
  return `${new Date(timestampOf(message) * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
