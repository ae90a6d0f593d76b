// The facts of a session, whether it runs or has ended.

import type { Fact, SessionHead } from '@ai-agent/core';
import type { Hall } from './hall.ts';
import type { LiveSession } from './live-session.ts';

/** Everything told so far. What a session that runs has told is known here, whatever the store does. */
export async function factsOf(
  { store, onBug }: Hall,
  { id }: SessionHead,
  live: LiveSession | undefined,
): Promise<Fact[]> {
  if (!live) return [...(await store.facts(id, 0))];
  const told = live.facts();
  if (live.before === 0) return [...told];
  try {
    return [...(await store.facts(id, 0, live.before)), ...told];
  } catch (error) {
    onBug(error);
    return [...told];
  }
}
