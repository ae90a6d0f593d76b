// Words for the one who said something, alone: where they called us from, else beside what they said.

import { tell } from '../act/tell.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Heard } from './heard.ts';

export async function tellSpeaker({ api, identity }: Surroundings, heard: Heard, text: string): Promise<void> {
  const { channel, user, threadTs, ts, respond } = heard;
  if (respond) return respond(text);
  if (user === undefined) return;
  await tell(api, { thread: { team: identity.team, channel, ts: threadTs }, user, messageTs: ts }, text);
}
