// The buttons under our messages: each carries what it is about, so that nothing has to be remembered for it.

import type { types } from '@slack/bolt';

/** What a button is about. */
export interface About {
  readonly session: string;
  /** How often the session had been gone on with. */
  readonly round: number;
  readonly asker: string;
}

export const actionIds = {
  stop: 'stop_run',
  cancel: 'cancel_run',
  retry: 'retry_run',
  details: 'show_details',
  download: 'download_json',
  approve: 'approve_call',
  decline: 'decline_call',
  choose: 'answer_choice',
  select: 'answer_select',
  answer: 'answer_open',
  drop: 'drop_question',
} as const;

type Button = types.Button;

/** While it works: they are about the thread that they stand in. */
export function workButtons(asker: string, isStopping: boolean): types.ActionsBlock {
  const value = JSON.stringify({ asker });
  const stop = toButton('Stop', actionIds.stop, value);
  const cancel = toButton('Cancel', actionIds.cancel, value, 'danger');
  return { type: 'actions', elements: isStopping ? [cancel] : [stop, cancel] };
}

/** When it has ended. */
export function endButtons(about: About): types.ActionsBlock {
  const value = JSON.stringify(about);
  return {
    type: 'actions',
    elements: [
      toButton('Retry', actionIds.retry, value),
      toButton('Details', actionIds.details, value),
      toButton('Download JSON', actionIds.download, value),
    ],
  };
}

export function toButton(text: string, actionId: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: { type: 'plain_text', text, emoji: false },
    action_id: actionId,
    value,
    ...(style ? { style } : {}),
  };
}

/** What a button that was pressed is about; undefined for one that is not ours. */
export function readAbout(value: unknown): About | undefined {
  const read = readValue(value);
  const { session, round, asker } = read ?? {};
  if (typeof session !== 'string' || typeof round !== 'number' || typeof asker !== 'string') return undefined;
  return { session, round, asker };
}

export function readValue(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'object' && read !== null ? (read as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
