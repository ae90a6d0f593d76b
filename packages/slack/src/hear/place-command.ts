// A slash command stands nowhere: a message of ours says what was asked, and the answer is in its thread.

import { mentionedIn, toReadable } from '../ask/readable.ts';
import { cleanText, cut, escapeMrkdwn } from '../blocks/safe-text.ts';
import { findPosted } from '../connect/find-posted.ts';
import { isOutside, type SlackAnswer } from '../connect/slack-api.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Heard } from './heard.ts';

/** Whether it was called, and stands nowhere yet. */
export function isPlaceless({ ts }: Heard): boolean {
  return ts === '';
}

/** Where it stands now: the answer is in the thread of that message; where we are not in the channel, in a direct message. `sinceMs` is when it was called, where who heard it may have posted it already. */
export async function placeCommand(around: Surroundings, heard: Heard, sinceMs?: number): Promise<Heard> {
  const { channel: calledIn, user = '', text, respond } = heard;
  const place = await postAsked(around, { channel: calledIn, user, text, sinceMs });
  if (place.channel !== calledIn) await respond?.('I am not in this channel: the answer is in our direct messages.');
  return { ...heard, ...place, isDirect: place.channel.startsWith('D') };
}

interface Asked {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly sinceMs: number | undefined;
}

async function postAsked(around: Surroundings, asked: Asked): Promise<Pick<Heard, 'channel' | 'ts' | 'threadTs'>> {
  try {
    return await post(around, asked);
  } catch (error) {
    if (!isOutside(error)) throw error;
    const opened = await around.api.call('conversations.open', { users: asked.user });
    const { id } = opened.channel as { id: string };
    return post(around, { ...asked, channel: id });
  }
}

async function post({ api, people, identity }: Surroundings, { channel, user, text, sinceMs }: Asked) {
  const labels = new Map<string, string>();
  for (const one of new Set([user, ...mentionedIn(text)])) labels.set(one, cleanText(await people.label(one)));
  const who = `${labels.get(user) ?? user} asks: `;
  // Struck out before it is cut: half a secret has no shape of one.
  const question = cut(api.strike(cleanText(toReadable(text, (one) => labels.get(one)))), 2_900) || '…';
  const words = escapeMrkdwn(cut(who + question, 600));
  const sent = { channel, threadTs: undefined, text: api.strike(words), botId: identity.botId || undefined };
  const posted = sinceMs === undefined ? undefined : await findPosted(api, { ...sent, sinceMs });
  if (posted) return toPlace(channel, posted);
  const answer = await api.call('chat.postMessage', {
    channel,
    text: words,
    blocks: [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: who, style: { bold: true } },
              { type: 'text', text: question },
            ],
          },
        ],
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  });
  return toPlace(channel, answer);
}

function toPlace(channel: string, { ts }: SlackAnswer) {
  return { channel, ts: String(ts), threadTs: String(ts) };
}
