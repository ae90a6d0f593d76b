// What to do about a run that ran into a limit, or whose limit cannot be counted: where the limit came from the request, it is in Limits.

import type { Failure, Standing } from '../server/documents.ts';
import type { Picture } from '../session/session-view.ts';

/** As people are told it: of a limit of their own, where to change it. */
export function withLimitWords(failure: Failure, standing: Standing | undefined): Failure {
  if (failure.code === 'price-unknown') return ofPrice(failure, standing?.budget?.costUsd !== undefined);
  if (failure.code !== 'budget-exhausted' || !isOwn(failure.limit, standing)) return failure;
  return { ...failure, remedy: `${whereToRaise} try again.` };
}

/** Behind the words that say which limit cut it short. */
export function moreWords(limit: string | undefined, standing: Standing | undefined): string {
  return isOwn(limit, standing) ? ` ${whereToRaise} go on or try again.` : '';
}

/** Whether a limit that was said with what was asked has kept it from beginning. */
export function isOfLimits({ standing, rounds }: Picture): boolean {
  if (standing?.status !== 'failed' || !standing.budget) return false;
  const ending = rounds.at(-1)?.ending;
  const { code } = (ending && 'failure' in ending ? ending.failure : standing.failure) ?? {};
  return code === 'price-unknown' || code === 'budget-exhausted';
}

const whereToRaise = 'Type a higher amount in Limits, beside the message, and';

function isOwn(limit: string | undefined, standing: Standing | undefined): boolean {
  return limit !== undefined && standing?.budget?.[limit] !== undefined;
}

function ofPrice(failure: Failure, isOfRequest: boolean): Failure {
  const remedy = isOfRequest
    ? 'Leave Money empty in Limits, beside the message, and try again; tokens and time can be limited.'
    : 'Ask whoever runs the server: the file of the agent, or the key, limits money.';
  return { ...failure, message: 'Money cannot be counted here: the price of the model is unknown.', remedy };
}
