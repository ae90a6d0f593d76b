// What a request may say to an agent that the APIs of models have no field for: the object `ai_agent`, and the header that names a session.

import { isObject } from '@ai-agent/core';
import { unknownField } from '../unknown-field.ts';
import type { Talk } from './talk.ts';

export type Extension = Pick<Talk, 'showsActivity' | 'session'>;

/** The fields of the object. */
export const extensionFields = ['activity', 'session'] as const;

export const sessionHeader = 'X-Ai-Agent-Session';

/** How an API says what is wrong with a field: `ai_agent.session`. */
export type ToWrong = (field: string, what: string) => Error;

/** Throws what `toWrong` gives. */
export function readExtension(given: unknown, headers: Headers, toWrong: ToWrong): Extension {
  if (given !== undefined && given !== null && !isObject(given)) throw toWrong('ai_agent', 'this must be an object.');
  const fields = isObject(given) ? given : {};
  const known: readonly string[] = extensionFields;
  const stray = Object.keys(fields).find((name) => !known.includes(name));
  if (stray !== undefined) throw toWrong('ai_agent', unknownField(stray, known).message);
  const { activity, session } = fields;
  if (activity !== undefined && activity !== null && typeof activity !== 'boolean')
    throw toWrong('ai_agent.activity', 'this must be true or false.');
  if (session !== undefined && session !== null && (typeof session !== 'string' || session === ''))
    throw toWrong('ai_agent.session', 'this must be the id of a session, as a text.');
  const named = headers.get(sessionHeader) || undefined;
  if (typeof session === 'string' && named !== undefined && named !== session)
    throw toWrong('ai_agent.session', `this names another session than the header ${sessionHeader}.`);
  const id = typeof session === 'string' ? session : named;
  return {
    ...(typeof activity === 'boolean' ? { showsActivity: activity } : {}),
    ...(id === undefined ? {} : { session: id }),
  };
}
