// A session that waits for an answer, or for results, kept so that another goes on with it; and forgotten once that one has begun.

import type { NeedsClientTools, NeedsUserInput } from './ending.ts';
import { missingAtPause } from './folds/incomplete.ts';
import type { JsonObject } from './json.ts';
import type { PendingTurn } from './pauses.ts';
import type { Run } from './run.ts';
import type { SessionState } from './state.ts';

/** Told again on every replay, as the session walks again. */
export async function keepPaused(
  run: Run,
  state: SessionState,
  ending: NeedsUserInput | NeedsClientTools,
  args: JsonObject,
): Promise<void> {
  const { pauses, budget } = run.ports;
  const { place, agent, transcript } = state.parts;
  const request = { ...state.parts.request, at: state.requestAt };
  const { paused: pending } = state;
  if (!pending) return;
  const spent = budget.spentBy(place.id);
  const { denials } = place;
  const waits = ending.status === 'needs_user_input' ? { question: ending.question } : { calls: ending.calls };
  const said = { ...waits, agentName: agent.name, args, messages: transcript.view(), pending, spent, request };
  const missing = missingAtPause(run.records.tree.session(place.id), pending.below);
  const paused = { ...said, ...(denials ? { denials } : {}), ...(missing.length > 0 ? { missing } : {}) };
  await pauses.put(place.id, run.secrets.keep(paused));
}

/** On a replay the session that asked was kept again; it is answered all the same. */
export function forgetPaused(run: Run, handle: string): void {
  (async () => run.ports.pauses.delete(handle))().catch(() => {});
}

/** Nobody will go on with it, nor with those below it whose questions it waits for. */
export function forgetAll(run: Run, handle: string): void {
  const { pauses } = run.ports;
  const handles = [handle];
  const forget = async () => {
    // Grows on the way down.
    for (const at of handles) {
      const paused = await pauses.get(at);
      await pauses.delete(at);
      handles.push(...askingBelow(paused?.pending));
    }
  };
  forget().catch(() => {});
}

function askingBelow(pending: PendingTurn | undefined): readonly string[] {
  const others = Object.values(pending?.done ?? {}).flatMap(({ session }) => session?.question?.handle ?? []);
  return pending?.below === undefined ? others : [pending.below, ...others];
}
