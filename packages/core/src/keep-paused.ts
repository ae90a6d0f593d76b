// A session that ends with a question, kept so that another goes on with it; and forgotten once that one has begun.

import type { JsonObject } from './json.ts';
import type { Question } from './question.ts';
import type { Run } from './run.ts';
import type { SessionState } from './state.ts';

/** Told again on every replay, as the session walks again. */
export async function keepPaused(run: Run, state: SessionState, question: Question, args: JsonObject): Promise<void> {
  const { pauses, budget } = run.ports;
  const { place, agent, transcript } = state.parts;
  const { paused: pending } = state;
  if (!pending) return;
  const spent = budget.spentBy(place.id);
  const { denials } = place;
  const said = { question, agentName: agent.name, args, messages: transcript.view(), pending, spent };
  const paused = denials ? { ...said, denials } : said;
  await pauses.put(place.id, run.secrets.keep(paused));
}

/** On a replay the session that asked was kept again; it is answered all the same. */
export function forgetPaused(run: Run, handle: string): void {
  (async () => run.ports.pauses.delete(handle))().catch(() => {});
}
