// A message whose sending broke off: Slack may have it all the same, and then it is not sent again.

import { isObject } from '@ai-agent/core';
import type { SlackAnswer, SlackCalls } from './slack-api.ts';

export interface Posting {
  readonly channel: unknown;
  readonly threadTs: unknown;
  readonly text: string;
  /** Ours. */
  readonly botId: string | undefined;
  /** When it was sent first, by our clock. */
  readonly sinceMs: number;
}

/** So far our clock and Slack's may be apart. */
const apartMs = 5_000;

/** As Slack would have answered; undefined when it is not there, or Slack does not say. */
export async function findPosted(
  api: Pick<SlackCalls, 'attempt'>,
  { channel, threadTs, text, botId, sinceMs }: Posting,
): Promise<SlackAnswer | undefined> {
  const among = { channel, oldest: String((sinceMs - apartMs) / 1_000), limit: 200 };
  const answer = await (threadTs === undefined
    ? api.attempt('conversations.history', among)
    : api.attempt('conversations.replies', { ...among, ts: threadTs }));
  const messages: readonly unknown[] = Array.isArray(answer?.messages) ? answer.messages : [];
  const found = messages
    .filter(isObject)
    .find(({ bot_id, text: said }) => isOfOurs(bot_id, botId) && typeof said === 'string' && isSameText(said, text));
  return typeof found?.ts === 'string' ? { ok: true, channel, ts: found.ts } : undefined;
}

function isOfOurs(found: unknown, botId: string | undefined): boolean {
  return found !== undefined && (botId === undefined || found === botId);
}

/** Whether Slack means the same by it: it writes some signs otherwise. */
export function isSameText(said: string, text: string): boolean {
  return said.trim() === text.trim() || (bare(text) !== '' && bare(said) === bare(text));
}

/** Slack puts addresses into angles by itself, some with a label, and gives emojis their names. */
function bare(text: string): string {
  return text
    .replace(/<([^<>|]*)(?:\|([^<>]*))?>/g, (_, target: string, label = target) => label)
    .replace(
      /:[a-z0-9_+'-]+:|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\u20e3|\ufe0f/gu,
      '',
    )
    .replace(/\s+/g, ' ')
    .trim();
}
