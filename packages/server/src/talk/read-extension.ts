// What a request may say to an agent that the APIs of models have no field for: the object `ai_agent`, and the header that names a session.

import { isObject } from '@ai-agent/core';
import { sessionHeader } from '../trace-headers.ts';
import { unknownField } from '../unknown-field.ts';
import type { Talk } from './talk.ts';

export type Extension = Pick<Talk, 'showsActivity' | 'session'>;

/** The fields of the object. */
export const extensionFields = ['activity', 'session'] as const;

/** How an API says what is wrong with a field: `ai_agent.session`. */
export type ToWrong = (field: string, what: string) => Error;

/** Throws what `toWrong` gives. */
export function readExtension(given: unknown, headers: Headers, toWrong: ToWrong): Extension {
  const { activity, session } = fieldsOf(given, toWrong);
  if (isGiven(activity) && typeof activity !== 'boolean')
    throw toWrong('ai_agent.activity', 'this must be true or false.');
  const named = toId(headers.get(sessionHeader), sessionHeader, toWrong);
  const id = toId(session, 'ai_agent.session', toWrong);
  if (id !== undefined && named !== undefined && named !== id)
    throw toWrong('ai_agent.session', `this names another session than the header ${sessionHeader}.`);
  const goesOn = id ?? named;
  return {
    ...(typeof activity === 'boolean' ? { showsActivity: activity } : {}),
    ...(goesOn === undefined ? {} : { session: goesOn }),
  };
}

function fieldsOf(given: unknown, toWrong: ToWrong): Readonly<Record<string, unknown>> {
  if (!isGiven(given)) return {};
  if (!isObject(given)) throw toWrong('ai_agent', 'this must be an object.');
  const known: readonly string[] = extensionFields;
  const stray = Object.keys(given).find((name) => !known.includes(name));
  if (stray !== undefined) throw toWrong('ai_agent', unknownField(stray, known).message);
  return given;
}

function toId(value: unknown, field: string, toWrong: ToWrong): string | undefined {
  if (!isGiven(value)) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw toWrong(field, 'this must be the id of a session, as a text.');
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
