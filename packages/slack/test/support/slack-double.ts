// A SlackApi in memory: what was said, who people are, and how little Slack gives at once.

import { type SlackAnswer, type SlackApi, SlackRefusal } from '../../src/connect/slack-api.ts';

type Args = Readonly<Record<string, unknown>>;
type Message = Readonly<Record<string, unknown>>;

export interface SlackDouble extends SlackApi {
  /** Every call, in order. */
  readonly calls: (readonly [method: string, args: Args])[];
}

export interface World {
  /** The oldest first. */
  readonly messages?: readonly Message[];
  readonly users?: Readonly<Record<string, Message>>;
  readonly channels?: Readonly<Record<string, Message>>;
  /** @default 200 */
  readonly pageSize?: number;
  /** Slack's word for no, by method. */
  readonly refuses?: Readonly<Record<string, string>>;
  /** How many calls that may be left out Slack has time for. @default all */
  readonly patience?: number;
}

export function slackOf(world: World): SlackDouble {
  const calls: (readonly [string, Args])[] = [];
  let patience = world.patience ?? Number.POSITIVE_INFINITY;
  const answer = async (method: string, args: Args): Promise<SlackAnswer> => {
    calls.push([method, args]);
    const word = world.refuses?.[method];
    if (word !== undefined) throw new SlackRefusal(method, word);
    if (method === 'users.info') return found(method, { user: world.users?.[String(args.user)] });
    if (method === 'conversations.info') return found(method, { channel: world.channels?.[String(args.channel)] });
    return page(method, args, world);
  };
  return {
    calls,
    call: answer,
    offer: async (method, args) => (patience-- > 0 ? answer(method, args) : undefined),
    strike: (text) => text,
    safeLength: (text) => text.length,
    attempt: async (method, args) => (patience-- > 0 ? answer(method, args).catch(() => undefined) : undefined),
  };
}

function found(method: string, what: Message): SlackAnswer {
  if (Object.values(what).includes(undefined)) throw new SlackRefusal(method, 'not_found');
  return { ok: true, ...what };
}

/** Replies come oldest first and with their root, history newest first and without replies. */
function page(method: string, args: Args, { messages = [], pageSize = 200 }: World): SlackAnswer {
  const isWithin = ({ ts }: Message) =>
    (args.latest === undefined || Number(ts) < Number(args.latest)) &&
    (args.oldest === undefined || Number(ts) > Number(args.oldest));
  const isReply = ({ ts, thread_ts }: Message) => thread_ts !== undefined && thread_ts !== ts;
  const chosen =
    method === 'conversations.replies'
      ? messages.filter((one) => one.ts === args.ts || (one.thread_ts === args.ts && isWithin(one)))
      : messages.filter((one) => !isReply(one) && isWithin(one)).toReversed();
  const from = Number(args.cursor ?? 0);
  const to = from + Math.min(Number(args.limit), pageSize);
  const hasMore = to < chosen.length;
  return {
    ok: true,
    messages: chosen.slice(from, to),
    has_more: hasMore,
    response_metadata: { next_cursor: hasMore ? String(to) : '' },
  };
}
