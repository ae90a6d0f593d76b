// What was said before a request, in its thread or its channel, as data for the agent: bounded, readable, and never a reason to fail.

import { defaultTexts, head, type Texts } from '@ai-agent/core';
import { type SlackAnswer, type SlackCalls, SlackRefusal } from '../connect/slack-api.ts';
import type { ContextPolicy } from '../settings.ts';
import type { Said } from './message-text.ts';
import { type Bot, isOfOurs, isSaid, peopleIn, timestampOf, toLine } from './said.ts';

export interface ContextOptions {
  readonly channel: string;
  /** The thread that it was said in. @default none: it is a root */
  readonly threadTs?: string | undefined;
  /** The request itself: only what came before it is read. @default all that is there */
  readonly ts?: string | undefined;
  /** @default the thread; at a root, the channel */
  readonly policy?: ContextPolicy | undefined;
  /** Messages at most; the newest stay. */
  readonly limit: number;
  /** Characters of them at most. */
  readonly chars: number;
  /** Only what came after it; then our own words are left out, since a session that goes on knows them. */
  readonly since?: string | undefined;
  readonly bot: Bot;
  /** @default our own */
  readonly texts?: Pick<Texts, 'saidEarlier'> | undefined;
  /** What a person is called; never fails. */
  label(user: string): Promise<string>;
  /** Slack's word for what is in the way: `missing_scope`. */
  onProblem?(word: string): void;
}

/** Undefined when there is nothing, or Slack does not give it. */
export async function readContext(api: SlackCalls, options: ContextOptions): Promise<string | undefined> {
  if (options.policy === 'none' || options.limit < 1 || options.chars < 1) return undefined;
  const found: Found = { messages: [], hasEarlier: false, isCutShort: false };
  try {
    if (readsChannel(options)) await readChannel(api, options, found);
    if (isInThread(options)) await readThread(api, options, found);
  } catch (error) {
    options.onProblem?.(error instanceof SlackRefusal ? error.word : 'unreachable');
    if (found.messages.length === 0) return undefined;
  }
  keepNewest(found, options.limit);
  const labels = await findLabels(found.messages, options);
  const lines = found.messages.flatMap((message) => toLine(message, options.bot, (user) => labels.get(user)) ?? []);
  return toText(lines, found, options);
}

interface Found {
  /** The oldest first. */
  messages: Said[];
  /** Whether older ones were let go. */
  hasEarlier: boolean;
  /** Whether there is more that Slack had no time to give. */
  isCutShort: boolean;
}

/** It is good to know; the request is what matters. */
export const contextMs = 10_000;

const mostPages = 50;
const mostPeople = 100;

function isInThread({ threadTs, ts }: ContextOptions): boolean {
  return threadTs !== undefined && threadTs !== ts;
}

function readsChannel(options: ContextOptions): boolean {
  const { policy, since, threadTs } = options;
  if (!isInThread(options)) return policy !== 'thread';
  // What came before a thread is not news to who goes on in it.
  return policy === 'channel' && (since === undefined || Number(since) < Number(threadTs));
}

/** Slack gives the newest first. In a thread: what was said before that began. */
async function readChannel(api: SlackCalls, options: ContextOptions, found: Found): Promise<void> {
  const { channel, threadTs, ts, since: oldest, limit } = options;
  const latest = isInThread(options) ? threadTs : ts;
  const args = { channel, latest, oldest, inclusive: false, limit: Math.min(limit + 1, 200) };
  const newestFirst: Said[] = [];
  await readPages(api, 'conversations.history', args, (messages, isCutShort) => {
    newestFirst.push(...messages.filter((message) => isWanted(message, options)));
    found.isCutShort ||= isCutShort && newestFirst.length < limit;
    return newestFirst.length <= limit;
  });
  found.messages = newestFirst.reverse();
}

/** Slack gives the oldest first, so all of it is read for its end; what is beyond the bound is let go on the way. */
async function readThread(api: SlackCalls, options: ContextOptions, found: Found): Promise<void> {
  const { channel, threadTs, ts: latest, since: oldest, limit } = options;
  const args = { channel, ts: threadTs, latest, oldest, inclusive: false, limit: 200 };
  await readPages(api, 'conversations.replies', args, (messages, isCutShort) => {
    found.messages.push(...messages.filter((message) => isWanted(message, options)));
    keepNewest(found, limit);
    found.isCutShort ||= isCutShort;
    return true;
  });
}

/** The first page is waited for; further ones come if Slack has the time: it may give only 15 at once, and those once a minute. */
async function readPages(
  api: SlackCalls,
  method: string,
  args: Readonly<Record<string, unknown>>,
  take: (messages: readonly Said[], isCutShort: boolean) => boolean,
): Promise<void> {
  let answer: SlackAnswer | undefined = await api.call(method, withoutGaps(args), { withinMs: contextMs });
  for (let page = 1; ; page++) {
    const cursor: string | undefined = cursorOf(answer);
    const messages: readonly unknown[] = Array.isArray(answer.messages) ? answer.messages : [];
    const isLast = cursor === undefined || page === mostPages;
    const isMore = take(messages.filter(isSaid), cursor !== undefined && isLast);
    if (!isMore || isLast) return;
    answer = await api.attempt(method, withoutGaps({ ...args, cursor }));
    if (answer === undefined) {
      take([], true);
      return;
    }
  }
}

function cursorOf({ has_more, response_metadata }: SlackAnswer): string | undefined {
  const { next_cursor } = (response_metadata ?? {}) as Readonly<Record<string, unknown>>;
  return has_more !== false && typeof next_cursor === 'string' && next_cursor !== '' ? next_cursor : undefined;
}

function withoutGaps(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** Slack gives the root of a thread whatever times were asked for. */
function isWanted(message: Said, { ts, since, bot }: ContextOptions): boolean {
  const at = timestampOf(message);
  if (ts !== undefined && at >= Number(ts)) return false;
  return since === undefined || (at > Number(since) && !isOfOurs(message, bot));
}

function keepNewest(found: Found, limit: number): void {
  const older = found.messages.splice(0, Math.max(0, found.messages.length - limit));
  if (older.length > 0) found.hasEarlier = true;
}

async function findLabels(messages: readonly Said[], options: ContextOptions): Promise<ReadonlyMap<string, string>> {
  const people = [...new Set(messages.toReversed().flatMap(peopleIn))].slice(0, mostPeople);
  return new Map(await Promise.all(people.map(async (user) => [user, await options.label(user)] as const)));
}

function toText(lines: readonly string[], found: Found, options: ContextOptions): string | undefined {
  const { chars, texts: { saidEarlier } = defaultTexts } = options;
  if (lines.length === 0) return undefined;
  const kept: string[] = [];
  let room = chars;
  for (const line of lines.toReversed()) {
    // One message that is longer than everything may be still tells how it begins.
    if (line.length > room && kept.length > 0) break;
    kept.unshift(head(line, room));
    room -= line.length + 1;
  }
  const hasOlder = found.hasEarlier || kept.length < lines.length;
  return saidEarlier({ place: 'Slack', messages: kept, hasOlder, isCutShort: found.isCutShort });
}
