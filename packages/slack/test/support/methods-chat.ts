// `chat.*` of the stand-in: messages that are posted, changed, taken away and streamed.
import { type Thing, textOf, thingsOf } from './values.ts';
import { type Message, Refusal, type Workspace } from './workspace.ts';

export type Method = (workspace: Workspace, args: Thing) => Thing;

export const chatMethods: Record<string, Method> = {
  'chat.postMessage': (workspace, args) => {
    const channel = workspace.enterChannel(args.channel);
    const message = workspace.post({
      channel: channel.id,
      ...ofThread(args),
      user: workspace.bot,
      bot_id: workspace.botId,
      text: textOf(args.text) || textOf(args.markdown_text),
      blocks: thingsOf(args.blocks),
      attachments: thingsOf(args.attachments),
    });
    return { channel: channel.id, ts: message.ts, message: workspace.toWire(message) };
  },
  'chat.postEphemeral': (workspace, args) => {
    const channel = workspace.enterChannel(args.channel);
    const user = textOf(args.user);
    if (!channel.members.has(user)) throw new Refusal('user_not_in_channel');
    const message = workspace.toMessage({
      channel: channel.id,
      ...ofThread(args),
      user: workspace.bot,
      bot_id: workspace.botId,
      ephemeralFor: user,
      text: textOf(args.text),
      blocks: thingsOf(args.blocks),
    });
    workspace.ephemerals.push(message);
    return { message_ts: message.ts };
  },
  'chat.update': (workspace, args) => {
    const channel = workspace.enterChannel(args.channel);
    const message = workspace.ownMessage(channel, args.ts, 'cant_update_message');
    if (message.isStreaming) throw new Refusal('streaming_state_conflict');
    workspace.change(message, () => {
      if (args.text !== undefined) message.text = textOf(args.text);
      if (args.blocks !== undefined) message.blocks = workspace.withIds(thingsOf(args.blocks));
      if (args.attachments !== undefined) message.attachments = thingsOf(args.attachments);
      message.edited = { user: workspace.botId, ts: workspace.nextTs() };
      message.edits += 1;
    });
    return { channel: channel.id, ts: message.ts, text: message.text, message: workspace.toWire(message) };
  },
  'chat.delete': (workspace, args) => {
    const channel = workspace.findChannel(args.channel);
    workspace.remove(workspace.ownMessage(channel, args.ts, 'cant_delete_message'));
    return { channel: channel.id, ts: args.ts };
  },
  'chat.getPermalink': (workspace, args) => {
    const channel = workspace.findChannel(args.channel);
    const message = workspace.findMessage(channel.id, args.message_ts);
    if (message === undefined) throw new Refusal('message_not_found');
    const thread = message.thread_ts === undefined ? '' : `?thread_ts=${message.thread_ts}&cid=${channel.id}`;
    const path = `/archives/${channel.id}/p${message.ts.replace('.', '')}${thread}`;
    return { channel: channel.id, permalink: `https://example.slack.com${path}` };
  },
};

export const streamMethods: Record<string, Method> = {
  'chat.startStream': (workspace, args) => {
    const channel = workspace.enterChannel(args.channel);
    if (channel.kind !== 'im' && textOf(args.recipient_team_id) === '') throw new Refusal('missing_recipient_team_id');
    if (channel.kind !== 'im' && textOf(args.recipient_user_id) === '') throw new Refusal('missing_recipient_user_id');
    const streamed = wordsOf(args);
    const message = workspace.post({
      channel: channel.id,
      ...ofThread(args),
      user: workspace.bot,
      bot_id: workspace.botId,
      text: streamed,
      streamed,
      isStreaming: true,
    });
    return { channel: channel.id, ts: message.ts };
  },
  'chat.appendStream': (workspace, args) => {
    const message = findStream(workspace, args);
    message.streamed += wordsOf(args);
    message.text = message.streamed;
    return { channel: message.channel, ts: message.ts };
  },
  'chat.stopStream': (workspace, args) => {
    const message = findStream(workspace, args);
    workspace.change(message, () => {
      message.streamed += wordsOf(args);
      message.text = message.streamed;
      message.isStreaming = false;
      const streamed = message.streamed === '' ? [] : [{ type: 'markdown', text: message.streamed }];
      message.blocks = workspace.withIds([...streamed, ...thingsOf(args.blocks)]);
    });
    return { channel: message.channel, ts: message.ts, message: workspace.toWire(message) };
  },
};

function ofThread(args: Thing): { thread_ts?: string } {
  return textOf(args.thread_ts) === '' ? {} : { thread_ts: textOf(args.thread_ts) };
}

function wordsOf(args: Thing): string {
  const chunks = thingsOf(args.chunks).filter(({ type }) => type === 'markdown_text');
  return textOf(args.markdown_text) + chunks.map(({ text }) => textOf(text)).join('');
}

function findStream(workspace: Workspace, args: Thing): Message {
  const channel = workspace.enterChannel(args.channel);
  const message = workspace.ownMessage(channel, args.ts, 'message_not_owned_by_app');
  if (!message.isStreaming) throw new Refusal('message_not_in_streaming_state');
  return message;
}
