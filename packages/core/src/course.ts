// The course of a session: an earlier answer, or the loop with whoever comes before and after it; then what others make of it.

import type { Ending } from './ending.ts';
import { loop } from './loop.ts';
import type { Message } from './message.ts';
import { hasPartners } from './partners.ts';
import { keepResponse } from './response-cache.ts';
import type { Run } from './run.ts';
import type { SessionState } from './state.ts';
import { type Telling, tellPlugins } from './tell-plugins.ts';
import { walkWithPartners } from './with-partners.ts';

export interface CourseParts {
  readonly run: Run;
  /** What the session is asked, and all that was said before. */
  readonly opening: () => readonly Message[];
  /** Starts another tree. */
  readonly ask: Telling['ask'];
}

export async function takeCourse(state: SessionState, { run, opening, ask }: CourseParts): Promise<Ending> {
  const { agent, opened } = state.parts;
  if (agent.plugins) tellPlugins({ run, setting: state.parts, ask });
  if (opened.cached) return { status: 'completed', isCached: true, ...opened.cached };
  const ending = await (hasPartners(agent) ? walkWithPartners(state) : loop(state));
  if (agent.cache) keepResponse(run, state, { ending, messages: opening() });
  return ending;
}
