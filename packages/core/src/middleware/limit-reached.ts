// When a limit ends the work: one last turn without tools, so that what was found is not lost; or the end, when there is no room for it.

import type { Failure } from '../errors.ts';
import type { Middleware, Next, Unanswered } from '../middleware.ts';
import type { ToolResult } from '../tool-result.ts';

export const limitReached: Middleware = {
  name: 'limit-reached',
  decide: {
    turn(plan, { texts }) {
      if (plan.last === null) return plan;
      return { ...plan, tools: [], say: [...plan.say, texts.wrapUp(plan.last)] };
    },
    next(end, { replies }) {
      const failures = end.type === 'failed' ? [end.failure] : end.results.flatMap(ownFailure);
      const reached = failures.find(isLimit);
      if (!reached) return lastWordFailed(end, replies);
      const limit = reached.limit ?? reached.code;
      if (reached.code !== 'cut-off' && end.last === null) return { last: limit };
      // Before its first reply a session has nothing to show: that is a failure, and says so.
      return replies === 0 && reached.code === 'budget-exhausted' ? undefined : { stop: limit };
    },
  },
};

/** A model that fails at the last word does not undo the work: the limit had ended it already. */
function lastWordFailed({ type, last }: Unanswered, replies: number): Next | undefined {
  return type === 'failed' && last !== null && replies > 0 ? { stop: last } : undefined;
}

/** What a session below ran out of is its own affair: a caller whose budget is gone hears so by its next call. */
function ownFailure({ status, failure }: ToolResult): readonly Failure[] {
  return !failure || (failure.code === 'budget-exhausted' && status !== 'refused') ? [] : [failure];
}

/** Whether a failure ends the work of its session; that no more sub-agents may be started does not. */
function isLimit({ code, limit }: Failure): boolean {
  return code === 'stopped' || code === 'cut-off' || (code === 'budget-exhausted' && limit !== 'descendants');
}
