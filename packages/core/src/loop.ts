// The loop: turn after turn until there is an answer that keeps its contract, or a limit, or a failure.

import type { Ending, HandedOver } from './ending.ts';
import { decided, deciding, type Next, type TurnPlan, type Unanswered, type Verdict } from './middleware.ts';
import type { SessionState } from './state.ts';
import { sumUp } from './sum-up.ts';
import { type Answer, type Paused, takeTurn } from './turn.ts';

export async function loop(state: SessionState): Promise<Ending | HandedOver> {
  let again: Again = { say: [], last: null };
  for (;;) {
    state.turn++;
    let plan = planTurn(state, again);
    // Planned anew: with a shorter conversation, or with the limit that there is no way around.
    if (plan.sumsUp) plan = planTurn(state, { ...again, last: (await sumUp(state)) ?? again.last });
    if (plan.stop) return stopped(state, plan.stop);

    const end = await takeTurn(state, plan);
    if (end.type === 'paused') return wait(state, end);

    const next = end.type === 'answer' ? judge(state, plan, end) : goOn(state, plan, end);
    if ('status' in next) return next;
    again = next;
  }
}

/** Not the end: what to say to the model before its next turn, and the limit that makes it the last. */
interface Again {
  readonly say: readonly string[];
  readonly last: string | null;
}

function planTurn(state: SessionState, { say, last }: Again): TurnPlan {
  let plan: TurnPlan = { number: state.turn, tools: state.parts.opened.tools, say, last, stop: null };
  const view = state.view();
  for (const layer of deciding(state.parts.middleware).turn)
    plan = decided(layer, layer.decide?.turn?.(plan, view)) ?? plan;
  return plan;
}

function goOn(state: SessionState, plan: TurnPlan, end: Unanswered): Ending | HandedOver | Again {
  const view = state.view();
  let next: Next | undefined;
  for (const layer of deciding(state.parts.middleware).next) next ??= decided(layer, layer.decide?.next?.(end, view));
  if (next?.end) return next.end;
  if (next?.stop !== undefined) return stopped(state, next.stop);
  if (next?.last !== undefined) return { say: [], last: next.last };
  if (end.type === 'failed') return { status: 'failed', failure: end.failure, text: lastText(state) };
  if (state.sentBack.length > 0) state.sentBack = [];
  return plan.last ? stopped(state, plan.last) : { say: [], last: null };
}

function judge(state: SessionState, plan: TurnPlan, answer: Answer): Ending | Again {
  const { type: _, ...given } = answer;
  let verdict: Verdict = given;
  const view = state.view();
  for (const layer of deciding(state.parts.middleware).answer)
    verdict = decided(layer, layer.decide?.answer?.(verdict, view)) ?? verdict;

  const { report, metadata, failure, retry, tellsOutput } = verdict;
  const more = { ...(report === undefined ? {} : { report }), ...(metadata ? { metadata } : {}) };
  const said = { text: verdict.text || lastText(state), ...more };
  const limit = plan.last ?? verdict.limit;
  // A last word that breaks its contract is still what there is.
  if (failure && !(limit && failure.class === 'invalid_output')) return { status: 'failed', failure, ...said };
  if (limit) return { status: 'partial', limit, ...said };
  if (retry === undefined) return { status: 'completed', ...said };
  state.sendBack(answer.text, tellsOutput);
  return { say: [retry], last: null };
}

/** Somebody has to answer, or to run what is theirs; then another session goes on with this one. */
function wait(state: SessionState, { waiting, text }: Paused): Ending {
  const resume = state.parts.place.id;
  if ('calls' in waiting) return { status: 'needs_client_tools', calls: waiting.calls, resume, text };
  return { status: 'needs_user_input', question: waiting.question, resume, text: lastText(state) };
}

function stopped(state: SessionState, limit: string): Ending {
  return { status: 'partial', limit, text: lastText(state) };
}

function lastText(state: SessionState): string {
  return state.parts.transcript.lastText();
}
