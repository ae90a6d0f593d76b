// A file of ours into a thread: Slack gives an address for it, and is told when it is there.

import { utf8Bytes } from '@ai-agent/core';
import { type SlackApi, SlackRefusal } from './slack-api.ts';

export interface Upload {
  readonly channel: string;
  readonly threadTs: string;
  readonly name: string;
  readonly text: string;
}

/** A large file on a slow line. */
const withinMs = 60_000;

/** Throws `SlackRefusal`. */
export async function upload(api: SlackApi, { channel, threadTs, name, text }: Upload): Promise<void> {
  const content = api.strike(text);
  const length = utf8Bytes(content);
  const place = await api.call('files.getUploadURLExternal', { filename: name, length });
  const { upload_url: url } = place;
  if (typeof url !== 'string') throw new SlackRefusal('files.getUploadURLExternal', 'no_upload_url');
  await send(url, content);
  await api.call('files.completeUploadExternal', {
    files: [{ id: place.file_id, title: name }],
    channel_id: channel,
    thread_ts: threadTs,
  });
}

async function send(url: string, content: string): Promise<void> {
  try {
    const response = await fetch(url, { method: 'POST', body: content, signal: AbortSignal.timeout(withinMs) });
    await response.body?.cancel();
    const { ok, status } = response;
    const isPassing = status === 429 || status >= 500;
    if (!ok) throw new SlackRefusal('upload', isPassing ? 'unreachable' : `status ${status}`);
  } catch (error) {
    throw error instanceof SlackRefusal ? error : new SlackRefusal('upload', 'unreachable', { cause: error });
  }
}
