// Events as Slack words them: what the app hears when something is said, changed or taken away.
import { type Thing, textOf } from './values.ts';
import type { Message, Workspace } from './workspace.ts';

/** What an event comes in: the same for every delivery of it. */
export interface EventBody extends Thing {
  readonly event_id: string;
  readonly event: Thing;
}

export function toEventBody(workspace: Workspace, event: Thing): EventBody {
  return {
    token: 'verification',
    team_id: workspace.team,
    context_team_id: workspace.team,
    context_enterprise_id: null,
    api_app_id: workspace.app,
    event,
    type: 'event_callback',
    event_id: workspace.nextId('Ev'),
    event_time: Math.floor(Date.now() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: workspace.team,
        user_id: workspace.bot,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${workspace.app}`,
  };
}

/** `message`, and `app_mention` where the bot is named outside a direct message. None where it is no member. */
export function toEvents(workspace: Workspace, message: Message): EventBody[] {
  const channel = workspace.channels.get(message.channel);
  if (channel === undefined || !channel.members.has(workspace.bot)) return [];
  const { type: _, ...wire } = workspace.toWire(message);
  const said = { ...wire, channel: channel.id, event_ts: message.ts };
  const heard = toEventBody(workspace, { type: 'message', ...said, channel_type: channel.kind });
  return [heard, ...toMention(workspace, message, said)];
}

export function toChangeEvents(workspace: Workspace, message: Message, before: Thing): EventBody[] {
  const channel = workspace.channels.get(message.channel);
  if (channel === undefined || !channel.members.has(workspace.bot)) return [];
  const ts = workspace.nextTs();
  const wire = workspace.toWire(message);
  const changed = toEventBody(workspace, {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    channel: channel.id,
    channel_type: channel.kind,
    ts,
    event_ts: ts,
    message: wire,
    previous_message: before,
  });
  const { type: _, ...said } = wire;
  return [changed, ...toMention(workspace, message, { ...said, channel: channel.id, event_ts: ts })];
}

export function toDeletionEvents(workspace: Workspace, message: Message, before: Thing): EventBody[] {
  const channel = workspace.channels.get(message.channel);
  if (channel === undefined || !channel.members.has(workspace.bot)) return [];
  const ts = workspace.nextTs();
  return [
    toEventBody(workspace, {
      type: 'message',
      subtype: 'message_deleted',
      hidden: true,
      channel: channel.id,
      channel_type: channel.kind,
      ts,
      event_ts: ts,
      deleted_ts: message.ts,
      previous_message: before,
    }),
  ];
}

function toMention(workspace: Workspace, message: Message, said: Thing): EventBody[] {
  const isDirect = workspace.channels.get(message.channel)?.kind === 'im';
  if (isDirect || message.user === workspace.bot || !textOf(said.text).includes(`<@${workspace.bot}>`)) return [];
  return [toEventBody(workspace, { ...said, type: 'app_mention' })];
}
