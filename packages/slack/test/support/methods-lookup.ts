// Methods of the stand-in that say who and where one is, and what was said.
import type { Method } from './methods-chat.ts';
import { type Thing, textOf } from './values.ts';
import { type Channel, type Message, Refusal, type Workspace } from './workspace.ts';

export const lookupMethods: Record<string, Method> = {
  'auth.test': (workspace) => ({
    url: 'https://example.slack.com/',
    team: workspace.teamName,
    user: workspace.botName,
    team_id: workspace.team,
    user_id: workspace.bot,
    bot_id: workspace.botId,
    is_enterprise_install: false,
  }),
  'team.info': (workspace) => ({ team: { id: workspace.team, name: workspace.teamName, domain: 'example' } }),
  'users.info': (workspace, args) => {
    const person = workspace.people.get(textOf(args.user));
    if (person === undefined) throw new Refusal('user_not_found');
    const { id, name } = person;
    const realName = `${name.slice(0, 1).toUpperCase()}${name.slice(1)} Example`;
    return {
      user: {
        id,
        team_id: workspace.team,
        name,
        real_name: realName,
        deleted: false,
        is_bot: person.botId !== undefined,
        tz: 'Europe/Berlin',
        profile: { display_name: name, real_name: realName, real_name_normalized: realName },
      },
    };
  },
  'bots.info': (workspace, args) => {
    const bot = [...workspace.people.values()].find(({ botId }) => botId !== undefined && botId === args.bot);
    if (bot === undefined) throw new Refusal('bot_not_found');
    return { bot: { id: bot.botId, deleted: false, name: bot.name, user_id: bot.id, app_id: workspace.app } };
  },
  'conversations.info': (workspace, args) => ({
    channel: toWireChannel(workspace.findChannel(args.channel), workspace),
  }),
  'conversations.open': (workspace, args) => {
    const users = textOf(args.users).split(',').filter(Boolean);
    if (users.length === 0) throw new Refusal('users_list_not_supplied');
    if (users.some((user) => !workspace.people.has(user))) throw new Refusal('user_not_found');
    const [first = ''] = users;
    const name = `mpdm-${users.toSorted().join('--')}`;
    const channel =
      users.length === 1 ? workspace.direct(first) : workspace.channel(name, 'mpim', [...users, workspace.bot]);
    return { channel: { id: channel.id } };
  },
  'conversations.members': (workspace, args) => {
    const members = [...workspace.findChannel(args.channel).members];
    const { items, next_cursor } = toPage(members, args, 100);
    return { members: items, response_metadata: { next_cursor } };
  },
  'conversations.history': (workspace, args) => {
    const channel = workspace.enterChannel(args.channel);
    const roots = channel.messages.filter(
      ({ thread_ts, subtype }) => thread_ts === undefined || subtype === 'thread_broadcast',
    );
    return answerMessages(workspace, roots.filter(isBetween(args)).toReversed(), args, 100);
  },
  'conversations.replies': (workspace, args) => {
    const channel = workspace.enterChannel(args.channel);
    const asked = workspace.findMessage(channel.id, args.ts);
    if (asked === undefined) throw new Refusal('thread_not_found');
    const root = asked.thread_ts ?? asked.ts;
    const isInside = isBetween(args);
    const messages = workspace.thread(channel.id, root).filter((message) => message.ts === root || isInside(message));
    return answerMessages(workspace, messages, args, 1000);
  },
  'reactions.add': (workspace, args) => {
    const channel = workspace.enterChannel(args.channel);
    const message = workspace.findMessage(channel.id, args.timestamp);
    if (message === undefined) throw new Refusal('message_not_found');
    if (message.reactions.includes(textOf(args.name))) throw new Refusal('already_reacted');
    message.reactions.push(textOf(args.name));
    return {};
  },
  'assistant.threads.setStatus': () => {
    throw new Refusal('missing_scope', { needed: 'assistant:write', provided: 'chat:write' });
  },
};

export function toWireChannel(channel: Channel, workspace: Workspace): Thing {
  const isDirect = channel.kind === 'im';
  return {
    id: channel.id,
    ...(isDirect ? { user: channel.name } : { name: channel.name, name_normalized: channel.name }),
    is_channel: channel.kind === 'channel',
    is_group: channel.kind === 'group',
    is_im: isDirect,
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'channel',
    is_archived: false,
    is_member: channel.members.has(workspace.bot),
    context_team_id: workspace.team,
  };
}

function isBetween(args: Thing): (message: Message) => boolean {
  const oldest = Number(args.oldest ?? 0);
  const latest = args.latest === undefined ? Number.POSITIVE_INFINITY : Number(args.latest);
  const isInclusive = args.inclusive === true;
  return ({ ts }) => {
    const at = Number(ts);
    if (isInclusive && (at === oldest || at === latest)) return true;
    return at > oldest && at < latest;
  };
}

function answerMessages(workspace: Workspace, messages: readonly Message[], args: Thing, usual: number): Thing {
  const { items, next_cursor } = toPage(messages, args, usual);
  return {
    messages: items.map((message) => workspace.toWire(message)),
    has_more: next_cursor !== '',
    ...(next_cursor === '' ? {} : { response_metadata: { next_cursor } }),
  };
}

function toPage<T>(all: readonly T[], args: Thing, usual: number): { items: T[]; next_cursor: string } {
  const limit = Number(args.limit ?? usual);
  if (!(limit >= 1 && limit <= 1000)) throw new Refusal('invalid_limit');
  const cursor = textOf(args.cursor);
  const start = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('next:', ''));
  if (!Number.isInteger(start)) throw new Refusal('invalid_cursor');
  const next = start + limit;
  return {
    items: all.slice(start, next),
    next_cursor: next < all.length ? Buffer.from(`next:${next}`).toString('base64') : '',
  };
}
