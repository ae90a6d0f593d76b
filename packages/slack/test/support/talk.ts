// What a test does again and again: somebody asks in a channel, and what comes of it in the thread is waited for.

import { buttonsOf } from './answers.ts';
import type { SlackStandIn } from './slack-stand-in.ts';
import type { Message } from './workspace.ts';

export interface Talk {
  readonly channel: string;
  /** Of the question. */
  readonly ts: string;
  readonly user: string;
  /** What we wrote there, the oldest first. */
  ours(): readonly Message[];
  /** Waits for the message that shows the run at work. */
  status(): Promise<Message>;
  /** Waits for the end: the message with the answer. */
  answer(): Promise<Message>;
}

export interface Asking {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly threadTs?: string;
  readonly files?: readonly Readonly<Record<string, unknown>>[];
}

export interface Asked {
  /** The first message of the thread. */
  readonly ts: string;
  /** Ours, after what was asked. */
  readonly messages: readonly Message[];
}

export interface Ended {
  readonly channel: string;
  readonly ts: string;
  /** @default the first message of the thread */
  readonly after?: string;
}

/** Mentions us, and does not wait for anything. */
export async function ask(
  slack: SlackStandIn,
  text: string,
  { in: place = 'general', by = 'jane' } = {},
): Promise<Talk> {
  const channel = slack.channel(place);
  const user = slack.person(by);
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> ${text}` });
  const ours = () => oursIn(slack, { channel, ts });
  const wait = async (button: string) => {
    const found = () => ours().find((message) => buttonsOf(message).includes(button));
    await slack.until(() => found() !== undefined, `a message with ${button}`);
    return found() as Message;
  };
  return { channel, ts, user, ours, status: () => wait('Cancel'), answer: () => wait('Retry') };
}

/** Mentions us, and gives our messages of the thread once one has ended with buttons or, where it was refused, in words. */
export async function askToTheEnd(slack: SlackStandIn, { text, ...asking }: Asking): Promise<Asked> {
  const said = await slack.say({ ...asking, text: `<@${slack.bot}> ${text}` });
  const ts = asking.threadTs ?? said.ts;
  return { ts, messages: await whenEnded(slack, { channel: asking.channel, ts, after: said.ts }) };
}

/** Nothing is at work there any more: no message has a button that ends it, and there is one. */
export async function whenEnded(slack: SlackStandIn, where: Ended): Promise<readonly Message[]> {
  const ours = () => oursIn(slack, where);
  const isAtWork = (message: Message) => message.isStreaming || buttonsOf(message).includes('Cancel');
  await slack.until(() => ours().length > 0 && !ours().some(isAtWork), 'an end');
  return ours();
}

function oursIn(slack: SlackStandIn, { channel, ts, after = ts }: Ended): readonly Message[] {
  return slack
    .thread(channel, ts)
    .filter((message) => message.user === slack.bot && Number(message.ts) > Number(after));
}
