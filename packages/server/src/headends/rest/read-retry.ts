// The turn of another session that a new one begins at.

import { AgentError, isObject } from '@ai-agent/core';
import type { Retry } from '../../retry.ts';
import { unknownField } from '../../unknown-field.ts';

const known = ['session', 'round', 'turn'] as const;

/** Throws `request-invalid`. */
export function readRetry(given: unknown): Retry | undefined {
  if (given === undefined) return undefined;
  if (!isObject(given)) throw new AgentError('request-invalid', 'retry must be an object with session.');
  const unknown = Object.keys(given).find((key) => !(known as readonly string[]).includes(key));
  if (unknown !== undefined)
    throw unknownField(
      `retry.${unknown}`,
      known.map((key) => `retry.${key}`),
    );
  const { session } = given;
  if (typeof session !== 'string' || session === '')
    throw new AgentError('request-invalid', 'retry.session must be the id of a session.');
  return { session, ...readNumber(given, 'round'), ...readNumber(given, 'turn') };
}

function readNumber(given: Readonly<Record<string, unknown>>, name: 'round' | 'turn'): Partial<Retry> {
  const number = given[name];
  if (number === undefined) return {};
  if (Number.isSafeInteger(number) && Number(number) >= 1) return { [name]: Number(number) };
  throw new AgentError('request-invalid', `retry.${name} must be a whole number from 1 on.`);
}
