// Replies to a client that takes an agent for a model: the run is asked, and written as the client's API has it.

import { replyAtOnce } from './reply-at-once.ts';
import { replyInPieces } from './reply-in-pieces.ts';
import type { TalkReply } from './talk-reply.ts';

export type { Started, TalkApi, TalkReply } from './talk-reply.ts';

/** Throws what is wrong with the request; what came of the run is a response. */
export function replyToTalk(reply: TalkReply): Promise<Response> {
  return reply.isStream ? replyInPieces(reply) : replyAtOnce(reply);
}
