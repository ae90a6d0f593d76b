// Opens a view: at once or not at all, since the press that asked for it is good for three seconds.

import type { types } from '@slack/bolt';
import { type SlackAnswer, type SlackApi, SlackRefusal } from '../connect/slack-api.ts';

/** Throws `SlackRefusal`, also where Slack has no time for it now. */
export async function openView(api: SlackApi, triggerId: string, view: types.ModalView): Promise<SlackAnswer> {
  const opened = await api.offer('views.open', { trigger_id: triggerId, view });
  if (opened === undefined) throw new SlackRefusal('views.open', 'ratelimited');
  return opened;
}
