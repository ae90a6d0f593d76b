// The loop: turn after turn until there is an answer that keeps its contract, or a limit, or a failure.

import type { Ending } from './ending.ts';
import { decided, type TurnPlan, type Verdict } from './middleware.ts';
import type { SessionState } from './state.ts';
import { type Answer, takeTurn } from './turn.ts';

export async function loop(state: SessionState): Promise<Ending> {
  let say: readonly string[] = [];
  for (;;) {
    const plan = planTurn(state, say);
    if (plan.stop) return stopped(state, plan.stop);

    const end = await takeTurn(state, plan);
    if (end.type === 'failed') return { status: 'failed', failure: end.failure, text: lastText(state) };

    const next = end.type === 'answer' ? judge(state, plan, end) : goOn(state, plan);
    if ('status' in next) return next;
    say = next.say;
  }
}

/** Not the end: what to say to the model before its next turn. */
interface Again {
  readonly say: readonly string[];
}

function planTurn(state: SessionState, say: readonly string[]): TurnPlan {
  state.turn++;
  let plan: TurnPlan = { number: state.turn, tools: state.parts.opened.tools, say, last: null, stop: null };
  const view = state.view();
  for (const layer of state.parts.middleware) plan = decided(layer, layer.decide?.turn?.(plan, view)) ?? plan;
  return plan;
}

function goOn(state: SessionState, plan: TurnPlan): Ending | Again {
  state.repairs = 0;
  return plan.last ? stopped(state, plan.last) : { say: [] };
}

function judge(state: SessionState, plan: TurnPlan, answer: Answer): Ending | Again {
  let verdict: Verdict = { text: answer.text, finishReason: answer.finishReason };
  const view = state.view();
  for (const layer of state.parts.middleware)
    verdict = decided(layer, layer.decide?.answer?.(verdict, view)) ?? verdict;

  const { report, failure, retry, tellsOutput } = verdict;
  const said = { text: verdict.text || lastText(state), ...(report === undefined ? {} : { report }) };
  if (failure) return { status: 'failed', failure, ...said };
  const limit = plan.last ?? verdict.limit;
  if (limit) return { status: 'partial', limit, ...said };
  if (retry === undefined) return { status: 'completed', ...said };
  if (tellsOutput) state.isOutputTold = true;
  else state.repairs++;
  return { say: [retry] };
}

function stopped(state: SessionState, limit: string): Ending {
  return { status: 'partial', limit, text: lastText(state) };
}

function lastText(state: SessionState): string {
  return state.parts.transcript.lastText();
}
