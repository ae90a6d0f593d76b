// Where a test looks around in the stand-in: people, channels, and what stands in them now. All are made when first asked for.
import type { Thing } from './values.ts';
import { type ChannelKind, type Message, Workspace } from './workspace.ts';

export interface ChannelOptions {
  /** @default channel, which everybody sees; `group` is private, `mpim` a direct message of several */
  readonly kind?: Exclude<ChannelKind, 'im'>;
  /** Whether the bot is a member. @default true */
  readonly bot?: boolean;
}

export interface Where {
  readonly channel: string;
  readonly ts: string;
}

export interface Said {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly threadTs?: string | undefined;
  /** Made by `addFile`. */
  readonly files?: readonly Thing[] | undefined;
  readonly subtype?: string | undefined;
  /** Of another bot; the older ones have the subtype `bot_message` too. */
  readonly botId?: string | undefined;
  /** Whether its events are kept back: `deliver` brings them, in any order. @default false */
  readonly silently?: boolean | undefined;
}

export class SlackPlace {
  readonly workspace = new Workspace();

  get team(): string {
    return this.workspace.team;
  }

  /** The bot's id as a user. */
  get bot(): string {
    return this.workspace.bot;
  }

  person(name: string): string {
    const { id } = this.workspace.person(name);
    for (const channel of this.workspace.channels.values()) if (channel.kind !== 'im') channel.members.add(id);
    return id;
  }

  /** Another bot: `say` takes both ids. */
  otherBot(name: string): { user: string; botId: string } {
    const { id } = this.workspace.person(name);
    const botId = this.workspace.nextId('B');
    this.workspace.people.set(id, { id, name, botId });
    return { user: id, botId };
  }

  channel(name: string, { kind = 'channel', bot = true }: ChannelOptions = {}): string {
    const people = [...this.workspace.people.keys()].filter((id) => id !== this.bot);
    return this.workspace.channel(name, kind, bot ? [...people, this.bot] : people).id;
  }

  dm(user: string): string {
    return this.workspace.direct(user).id;
  }

  /** All of a channel, with replies, in order. */
  messages(channel: string): readonly Message[] {
    return this.workspace.channels.get(channel)?.messages ?? [];
  }

  thread(channel: string, ts: string): readonly Message[] {
    return this.workspace.thread(channel, ts);
  }

  message({ channel, ts }: Where): Message {
    const found = this.workspace.findMessage(channel, ts);
    if (found === undefined) throw new Error(`There is no message ${ts} in ${channel}.`);
    return found;
  }

  /** What only one person sees, who is its `user` here. */
  get ephemerals(): readonly Message[] {
    return this.workspace.ephemerals.map((message) => ({ ...message, user: message.ephemeralFor }));
  }
}
