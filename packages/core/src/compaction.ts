// Which part of a conversation is summed up when it nears the end of its window, and what it is from there on.

import { compaction as shares } from './defaults.ts';
import type { Message, UserMessage } from './message.ts';
import { tokensOfMessage } from './tokens.ts';

/** A conversation as it stands, and how long it is. */
export interface Measured {
  readonly messages: readonly Message[];
  /** Which of them is the request at hand: it stays as it is. */
  readonly request: number;
  /** What goes with every request beside them. */
  readonly promptTokens: number;
  readonly bytesPerToken: number;
}

/** What a conversation has to fit. */
export interface Fit {
  readonly usableTokens: number;
  /** The most of a reply, and what of it has to have room. */
  readonly maxOutputTokens: number;
  readonly replyTokens: number;
}

export interface Compaction {
  /** The first of the messages that stay; all before are summed up. */
  readonly from: number;
  /** The request, where it is among these: it stays all the same. */
  readonly request?: number;
  /** The most that the summary may be. */
  readonly summaryTokens: number;
}

/** What a conversation was made of, by the messages that it had. Plain data, told as a fact. */
export interface SummedUp extends Pick<Compaction, 'from' | 'request'> {
  readonly summary: UserMessage;
}

/** Undefined when it would be of no use: little was said beside the request, or even that leaves no room. */
export function planCompaction(conversation: Measured, fit: Fit): Compaction | undefined {
  const { messages, request, promptTokens, bytesPerToken } = conversation;
  const sizes = messages.map((message) => tokensOfMessage(message, bytesPerToken));
  const summaryTokens = Math.floor(Math.min(fit.maxOutputTokens, fit.usableTokens * shares.summaryShare));
  const least = promptTokens + (sizes[request] ?? 0) + summaryTokens;
  if (least + fit.replyTokens > fit.usableTokens) return undefined;
  // The request has its room already.
  sizes[request] = 0;
  const from = firstKept(messages, sizes, fit.usableTokens * shares.keptShare - least);
  const won = sizes.slice(0, from).reduce((sum, size) => sum + size, 0);
  if (won <= summaryTokens) return undefined;
  return { from, summaryTokens, ...(request < from ? { request } : {}) };
}

/** As many of the last as there is room for; a result stays with its call. */
function firstKept(messages: readonly Message[], sizes: readonly number[], room: number): number {
  let from = messages.length;
  let left = room;
  for (let i = messages.length - 1; i > 0; i--) {
    left -= sizes[i] ?? 0;
    if (left < 0) break;
    if (messages[i]?.role !== 'tool') from = i;
  }
  return from;
}

/** The conversation from there on: the summary, the request at hand, and what was said last. */
export function compacted(
  messages: readonly Message[],
  { summary, from, request }: SummedUp,
): { readonly messages: readonly Message[]; readonly placeOf: (index: number) => number } {
  const asked = request === undefined ? [] : messages.slice(request, request + 1);
  const before = 1 + asked.length;
  return {
    messages: [summary, ...asked, ...messages.slice(from)],
    placeOf: (index) => (index === request ? 1 : Math.max(before, before + index - from)),
  };
}
