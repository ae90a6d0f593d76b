// What went wrong: for who asked in its own words where those are for people, and for whoever runs the server with what is inside of us.

import { isAgentError, toFailure } from '@ai-agent/core';
import { isOutside, SlackRefusal } from '../connect/slack-api.ts';
import type { Desk } from '../desk.ts';
import type { SlackLog } from '../log.ts';

export const nothingToSay = 'Something went wrong on our side. It was noted.';

/** What was asked of a server that stops is noted: the next one answers it. */
export const laterWords = 'The server is stopping: I answer this when it is there again.';

/** Whether it is for a server that comes after this one. */
export function isForLater(error: unknown, { keepsNotes }: Pick<Desk, 'keepsNotes'>): boolean {
  return keepsNotes && isAgentError(error) && error.code === 'server-stopping';
}

export function troubleWords(error: unknown): string {
  if (isOutside(error)) return 'I cannot write in this channel: invite me first.';
  if (error instanceof SlackRefusal && error.word === 'missing_scope')
    return `The Slack app lacks the scope ${error.scope ?? 'that this needs'}: whoever runs it adds it and installs the app again.`;
  // A view opens within three seconds of its button, or not at all.
  if (error instanceof SlackRefusal && error.method === 'views.open')
    return 'Slack did not open it in time: press it again.';
  const { class: kind, message } = toFailure(error);
  return kind === 'bug' ? nothingToSay : message;
}

/** Whoever runs the server is told. */
export function tellTrouble(log: SlackLog, error: unknown): void {
  if (error instanceof SlackRefusal) log.fail(error.message);
  else if (toFailure(error).class === 'bug') log.bug(error);
  else log.fail(toFailure(error).message);
}
