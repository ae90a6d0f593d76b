// The checks of every run: a truthful end, and a ledger that equals the count of the provider.

import type { Tally } from './provider.ts';
import { type EndedRun, endlessIn, type Incomplete, missingIn, refusedIn } from './sessions.ts';
import { answerOf } from './team.ts';

/** Requests under way when a client leaves: at most one per child. They may be cut off before they reach the provider. */
const mostUnderWay = 3;

/** The problems of a run, in a sentence each. `hasLeft`: its client did not wait for the end. */
export function problemsOf(ended: EndedRun, tally: Tally, hasLeft: boolean): readonly string[] {
  return [...endingProblems(ended, tally, hasLeft), ...missingProblems(ended), ...ledgerProblems(ended, tally)];
}

function endingProblems({ run, document, facts }: EndedRun, tally: Tally, hasLeft: boolean): readonly string[] {
  const { status, text = '', failure, limit } = document;
  const isAnswer = text.trim() === answerOf(run);
  return [
    ...endlessIn(facts).map((id) => `the session ${id} has no end`),
    ...(status === 'completed' && !(isAnswer && tally.isAnswered) ? [`it is completed with the text "${text}"`] : []),
    ...(status === 'failed' && !failure ? ['it failed without a failure'] : []),
    ...(status === 'partial' && !limit ? ['it is partial without a limit'] : []),
    ...(status === 'cancelled' && !hasLeft ? ['it was cancelled, and its client waited'] : []),
    ...(['completed', 'failed', 'partial', 'cancelled'].includes(status) ? [] : [`it is still ${status}`]),
  ];
}

/** A run that was answered lists every child whose work is missing. */
function missingProblems({ document: { status, incomplete, tree } }: EndedRun): readonly string[] {
  if (status !== 'completed' && status !== 'partial') return [];
  const [listed, missing] = [namesOf(incomplete ?? []), namesOf(missingIn(tree))];
  return listed === missing ? [] : [`its incomplete lists [${listed}], and its tree lacks [${missing}]`];
}

function namesOf(children: readonly Incomplete[]): string {
  return children
    .map(({ path, status }) => `${path} ${status}`)
    .sort()
    .join(', ');
}

function ledgerProblems({ document, facts }: EndedRun, tally: Tally): readonly string[] {
  const { modelCalls, inputTokens, outputTokens, unknownUsageCalls } = document.ledger.total;
  const requests = tally.requests + refusedIn(facts);
  const isCutOff = document.status === 'cancelled';
  const isCounted = isCutOff
    ? modelCalls >= requests && modelCalls <= requests + mostUnderWay
    : modelCalls === requests;
  const isUnknown = isCutOff ? unknownUsageCalls >= tally.unknown : unknownUsageCalls === tally.unknown;
  const isKnown = isCutOff
    ? inputTokens <= tally.inputTokens && outputTokens <= tally.outputTokens
    : inputTokens === tally.inputTokens && outputTokens === tally.outputTokens;
  return [
    ...(isCounted ? [] : [`its ledger has ${modelCalls} model calls for ${requests} requests`]),
    ...(isUnknown ? [] : [`its ledger has ${unknownUsageCalls} requests of unknown usage for ${tally.unknown}`]),
    ...(isKnown
      ? []
      : [`its ledger has ${inputTokens} + ${outputTokens} tokens for ${tally.inputTokens} + ${tally.outputTokens}`]),
  ];
}
