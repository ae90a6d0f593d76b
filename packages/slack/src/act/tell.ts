// Words for the one who pressed something, under the message where they did: nobody else sees them.

import { escapeMrkdwn } from '../blocks/safe-text.ts';
import type { SlackApi } from '../connect/slack-api.ts';
import type { Pressed } from './pressed.ts';

export type Presser = Pick<Pressed, 'thread' | 'user' | 'messageTs'>;

export async function tell(api: SlackApi, { thread, user, messageTs }: Presser, text: string): Promise<void> {
  const place = thread.ts === messageTs ? {} : { thread_ts: thread.ts };
  await api.attempt('chat.postEphemeral', { channel: thread.channel, user, text: escapeMrkdwn(text), ...place });
}
