// A button that was pressed, read from what Slack sends: who, where, under which message, and what it is about.

import type { Thread } from '../run/threads.ts';

export interface Pressed {
  readonly user: string;
  readonly thread: Thread;
  readonly messageTs: string;
  /** What stands under it, so that it can be written again without its buttons. */
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
  readonly blockId: string;
  readonly value: string | undefined;
  /** Of a list. */
  readonly selected: string | undefined;
  readonly triggerId: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Undefined when it is not under a message of a channel. */
export function readPressed(body: unknown, team: string): Pressed | undefined {
  const { user, channel, container, message, actions, trigger_id } = fields(body);
  const [action] = Array.isArray(actions) ? (actions as readonly unknown[]) : [];
  const { block_id, value, selected_option } = fields(action);
  const { message_ts, thread_ts, channel_id } = fields(container);
  const said = fields(message);
  const channelId = text(fields(channel).id) ?? text(channel_id);
  const messageTs = text(message_ts) ?? text(said.ts);
  const userId = text(fields(user).id);
  if (channelId === undefined || messageTs === undefined || userId === undefined) return undefined;
  const ts = text(thread_ts) ?? text(said.thread_ts) ?? messageTs;
  return {
    user: userId,
    thread: { team, channel: channelId, ts },
    messageTs,
    blocks: Array.isArray(said.blocks) ? (said.blocks as readonly Fields[]) : [],
    blockId: text(block_id) ?? '',
    value: text(value),
    selected: text(fields(selected_option).value),
    triggerId: text(trigger_id),
  };
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
