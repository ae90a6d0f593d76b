// The course of a session: an earlier answer that is given again, or the loop.

import type { Ending } from './ending.ts';
import { loop } from './loop.ts';
import type { SessionState } from './state.ts';

export async function takeCourse(state: SessionState): Promise<Ending> {
  const { cached } = state.parts.opened;
  return cached ? { status: 'completed', isCached: true, ...cached } : loop(state);
}
