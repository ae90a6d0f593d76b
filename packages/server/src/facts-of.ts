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

interface Found {
  readonly head: SessionHead;
  readonly live: LiveSession | undefined;
}

/** The one of this number, counted from one, also when the store does not have it yet. */
export async function factOf({ store }: Hall, { head, live }: Found, number: number): Promise<Fact | undefined> {
  if (number < 1) return undefined;
  return live?.fact(number) ?? (await store.facts(head.id, number - 1, 1))[0];
}
