// A small Slack workspace in memory: who is there, where they talk, and what was said.
import { type Thing, textOf, thingsOf } from './values.ts';

export type ChannelKind = 'channel' | 'group' | 'im' | 'mpim';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly members: Set<string>;
  readonly messages: Message[];
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly botId?: string | undefined;
}

/** A message as it stands now. */
export interface Message {
  readonly channel: string;
  readonly ts: string;
  readonly thread_ts?: string | undefined;
  readonly user?: string | undefined;
  readonly bot_id?: string | undefined;
  readonly subtype?: string | undefined;
  /** Whether only one person sees it. */
  readonly ephemeralFor?: string | undefined;
  text: string;
  blocks: Thing[];
  files: Thing[];
  attachments: Thing[];
  edited?: { readonly user: string; readonly ts: string } | undefined;
  isStreaming: boolean;
  /** Markdown that was streamed so far. */
  streamed: string;
  /** How often it was changed by `chat.update`. */
  edits: number;
  readonly reactions: string[];
}

export type NewMessage = Partial<Message> & { readonly channel: string };

/** Slack says no, in its own word. */
export class Refusal extends Error {
  readonly word: string;
  readonly details: Thing;

  constructor(word: string, details: Thing = {}) {
    super(word);
    this.word = word;
    this.details = details;
  }
}

export class Workspace {
  readonly team = 'T0EXAMPLE';
  readonly teamName = 'Example Inc.';
  readonly app = 'A0EXAMPLE';
  readonly bot = 'U0DESKBOT';
  readonly botId = 'B0DESKBOT';
  readonly botName = 'desk';
  readonly people = new Map<string, Person>();
  readonly channels = new Map<string, Channel>();
  readonly ephemerals: Message[] = [];
  /** Hears what became of messages: the socket tells it to the app, as Slack does. */
  onMessage: (change: 'posted' | 'changed' | 'deleted', message: Message, before?: Thing) => void = () => undefined;
  #lastMicros = 0;
  #count = 0;

  constructor() {
    this.people.set(this.bot, { id: this.bot, name: this.botName, botId: this.botId });
  }

  nextId(letter: string): string {
    this.#count += 1;
    return `${letter}0${this.#count.toString(36).toUpperCase().padStart(6, '0')}`;
  }

  nextTs(): string {
    this.#lastMicros = Math.max(Date.now() * 1000, this.#lastMicros + 1);
    const digits = String(this.#lastMicros);
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }

  person(name: string): Person {
    const known = [...this.people.values()].find((person) => person.name === name);
    const person = known ?? { id: this.nextId('U'), name };
    this.people.set(person.id, person);
    return person;
  }

  /** Found by its name, or made with these members. */
  channel(name: string, kind: ChannelKind, members: readonly string[]): Channel {
    const known = [...this.channels.values()].find((channel) => channel.name === name && channel.kind === kind);
    if (known !== undefined) return known;
    const letter = { channel: 'C', group: 'G', im: 'D', mpim: 'G' }[kind];
    const made: Channel = { id: this.nextId(letter), name, kind, members: new Set(members), messages: [] };
    this.channels.set(made.id, made);
    return made;
  }

  direct(user: string): Channel {
    return this.channel(user, 'im', [user, this.bot]);
  }

  /** What the app may see: a private place without it is not there at all. */
  findChannel(id: unknown): Channel {
    const channel = /^[UW]/.test(textOf(id)) && this.people.has(textOf(id)) ? this.direct(textOf(id)) : undefined;
    const found = channel ?? this.channels.get(textOf(id));
    if (found === undefined || (found.kind !== 'channel' && !found.members.has(this.bot)))
      throw new Refusal('channel_not_found');
    return found;
  }

  enterChannel(id: unknown): Channel {
    const channel = this.findChannel(id);
    if (!channel.members.has(this.bot)) throw new Refusal('not_in_channel');
    return channel;
  }

  findMessage(channel: string, ts: unknown): Message | undefined {
    return this.channels.get(channel)?.messages.find((message) => message.ts === ts);
  }

  ownMessage(channel: Channel, ts: unknown, word: string): Message {
    const message = this.findMessage(channel.id, ts);
    if (message === undefined) throw new Refusal('message_not_found');
    if (message.user !== this.bot) throw new Refusal(word);
    return message;
  }

  toMessage(given: NewMessage): Message {
    return {
      ts: this.nextTs(),
      text: '',
      files: [],
      attachments: [],
      isStreaming: false,
      streamed: '',
      edits: 0,
      reactions: [],
      ...given,
      blocks: this.withIds(given.blocks ?? []),
    };
  }

  post(given: NewMessage): Message {
    const message = this.toMessage(given);
    const channel = this.channels.get(message.channel);
    if (channel === undefined) throw new Refusal('channel_not_found');
    if (message.thread_ts !== undefined && !channel.messages.some(({ ts }) => ts === message.thread_ts))
      throw new Refusal('thread_not_found');
    channel.messages.push(message);
    this.onMessage('posted', message);
    return message;
  }

  /** Changes it, and tells of the change. */
  change(message: Message, change: () => void): void {
    const before = this.toWire(message);
    change();
    this.onMessage('changed', message, before);
  }

  remove(message: Message): void {
    const messages = this.channels.get(message.channel)?.messages ?? [];
    messages.splice(messages.indexOf(message), 1);
    this.onMessage('deleted', message, this.toWire(message));
  }

  /** Slack gives ids to blocks and elements that came without. */
  withIds(blocks: readonly Thing[]): Thing[] {
    return blocks.map((block) => {
      const named = { block_id: this.nextId('b'), ...block };
      if (block.type !== 'actions') return named;
      return {
        ...named,
        elements: thingsOf(block.elements).map((element) => ({ action_id: this.nextId('a'), ...element })),
      };
    });
  }

  thread(channel: string, ts: string): Message[] {
    const messages = this.channels.get(channel)?.messages ?? [];
    return messages.filter((message) => message.ts === ts || message.thread_ts === ts);
  }

  /** As Slack's answers and events carry it. */
  toWire(message: Message): Thing {
    const replies = this.thread(message.channel, message.ts).length - 1;
    return {
      type: 'message',
      ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
      ...(message.user === undefined ? {} : { user: message.user }),
      ...(message.bot_id === undefined ? {} : { bot_id: message.bot_id }),
      ...(message.user === this.bot ? { app_id: this.app } : {}),
      team: this.team,
      ts: message.ts,
      ...(message.thread_ts === undefined
        ? {}
        : { thread_ts: message.thread_ts, parent_user_id: this.#rootUser(message) }),
      ...(replies > 0 ? { thread_ts: message.ts, reply_count: replies } : {}),
      text: message.text,
      ...(message.blocks.length > 0 ? { blocks: structuredClone(message.blocks) } : {}),
      ...(message.files.length > 0 ? { files: message.files } : {}),
      ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
      ...(message.edited === undefined ? {} : { edited: message.edited }),
    };
  }

  #rootUser(message: Message): string | undefined {
    return this.findMessage(message.channel, message.thread_ts)?.user;
  }
}
