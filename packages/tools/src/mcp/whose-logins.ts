// Whose logins servers are used with: what was answered to one person is no answer to another.

import { randomUUID } from 'node:crypto';
import type { Surroundings } from '../surroundings.ts';

/** Of the whole process, as the answers are that are kept apart by it. */
const names = new WeakMap<object, string>();

/** The same for as long as the logins are kept in the same place; it says nothing of them. */
export function whoseLogins(surroundings: Pick<Surroundings, 'tokens'>): string {
  const place = surroundings.tokens ?? surroundings;
  const name = names.get(place) ?? randomUUID();
  names.set(place, name);
  return name;
}
