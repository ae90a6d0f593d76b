// The message shortcut and the slash command: asked for outside of a thread, answered in one.

import { randomUUID } from 'node:crypto';
import type { Heard, Respond, SlackMessageEvent } from './heard.ts';

/** Of the message it was called on: in its thread. Undefined for what is no message. */
export function fromShortcut(body: unknown, respond: Respond): Heard | undefined {
  const { channel, user, message, trigger_id } = body as {
    channel?: { id?: string };
    user?: { id?: string };
    message?: SlackMessageEvent;
    trigger_id?: string;
  };
  const { ts, thread_ts = ts } = message ?? {};
  if (channel?.id === undefined || user?.id === undefined || ts === undefined || thread_ts === undefined)
    return undefined;
  return {
    how: 'shortcut',
    channel: channel.id,
    isDirect: channel.id.startsWith('D'),
    user: user.id,
    isOfBot: false,
    text: message?.text ?? '',
    ts,
    threadTs: thread_ts,
    files: message?.files ?? [],
    message,
    callId: trigger_id,
    respond,
  };
}

export interface SlashCommand {
  readonly channel_id: string;
  readonly user_id: string;
  readonly text: string;
  readonly trigger_id?: string;
}

/** It has no place yet: a message of ours will say what was asked. */
export function fromCommand(command: SlashCommand, respond: Respond): Heard {
  const { channel_id: channel, user_id: user, text, trigger_id: callId = randomUUID() } = command;
  const said = { how: 'command', channel, isDirect: channel.startsWith('D'), user, isOfBot: false, text } as const;
  return { ...said, ts: '', threadTs: '', files: [], calledIn: channel, callId, respond };
}
