// What somebody said to us, read from Slack's events; what is not meant for us, or no message of somebody, is nothing.

import type { Identity } from '../connect/connection.ts';
import type { Engagement } from '../settings.ts';

export interface Heard {
  readonly how: 'mention' | 'dm' | 'post' | 'reply' | 'shortcut' | 'command';
  readonly channel: string;
  /** Whether it was said in a direct message to us. */
  readonly isDirect: boolean;
  /** Who said it; undefined for bots without a user. */
  readonly user: string | undefined;
  /** Whether another bot said it. */
  readonly isOfBot: boolean;
  readonly text: string;
  readonly ts: string;
  /** The first message of its thread: itself, where it is in none. */
  readonly threadTs: string;
  readonly files: readonly SlackFile[];
  /** The message as Slack has it: bots write without a text. */
  readonly message?: SlackMessageEvent | undefined;
  /** Where it was called, where that is not where it is answered: the rules of there hold. */
  readonly calledIn?: string | undefined;
  /** Of a call: the same when Slack delivers it again. @default it is known by its time */
  readonly callId?: string | undefined;
  /** Reaches who called it alone, also where we may not write. @default an ephemeral message does */
  readonly respond?: Respond | undefined;
}

/** Never rejects. */
export type Respond = (text: string) => Promise<void>;

/** As Slack describes it. */
export type SlackFile = Readonly<Record<string, unknown>>;

/** The parts of a message event that we read. What is empty may be null. */
export interface SlackMessageEvent {
  readonly channel?: string;
  readonly channel_type?: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly text?: string | null;
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly subtype?: string;
  readonly edited?: unknown;
  readonly files?: readonly SlackFile[] | null;
  readonly blocks?: readonly unknown[];
  readonly attachments?: readonly unknown[];
}

/** Messages that somebody wrote; all other kinds are edits, deletions and notices. */
const written: readonly (string | undefined)[] = [undefined, 'file_share', 'thread_broadcast', 'bot_message'];

/** A mention; one that an edit brings about is none. */
export function fromMention(event: SlackMessageEvent, { botUser, botId }: Identity): Heard | undefined {
  const { bot_id, user, edited, subtype } = event;
  if (edited !== undefined || bot_id !== undefined || subtype === 'bot_message') return undefined;
  if (user === botUser || bot_id === botId) return undefined;
  return toHeard(event, event.channel_type === 'im' ? 'dm' : 'mention');
}

/** A direct message, a post or a reply in a channel. Those that mention us come as mentions too. */
export function fromMessage(event: SlackMessageEvent, { botUser, botId }: Identity): Heard | undefined {
  const { user, bot_id, subtype, channel_type, thread_ts, ts } = event;
  const text = event.text ?? '';
  if (!written.includes(subtype) || event.edited !== undefined) return undefined;
  if (user === botUser || bot_id === botId) return undefined;
  const isOfBot = bot_id !== undefined || subtype === 'bot_message';
  if (channel_type === 'im') return isOfBot ? undefined : toHeard(event, 'dm');
  // Of bots nobody hears as mentions: theirs are posts, where a rule wants those.
  if (!isOfBot && (text.includes(`<@${botUser}>`) || text.includes(`<@${botUser}|`))) return undefined;
  const isReply = thread_ts !== undefined && thread_ts !== ts;
  return toHeard(event, isReply ? 'reply' : 'post');
}

export function engagementOf({ how, isDirect }: Pick<Heard, 'how' | 'isDirect'>): Engagement {
  if (how === 'post') return 'channel-posts';
  return isDirect ? 'dms' : 'mentions';
}

/** Whether whoever said it expects us to say something. */
export function isExplicit({ how }: Heard): boolean {
  return how !== 'post' && how !== 'reply';
}

function toHeard(event: SlackMessageEvent, how: Heard['how']): Heard | undefined {
  const { channel, ts, user, bot_id, subtype, thread_ts = ts } = event;
  if (channel === undefined || ts === undefined || thread_ts === undefined) return undefined;
  const text = event.text ?? '';
  const files = event.files ?? [];
  const isOfBot = bot_id !== undefined || subtype === 'bot_message';
  const isDirect = event.channel_type === 'im' || channel.startsWith('D');
  return { how, channel, isDirect, user, isOfBot, text, ts, threadTs: thread_ts, files, message: event };
}
