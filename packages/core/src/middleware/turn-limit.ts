// Ends a session at maxTurns: the last turn it allows has no tools and says so; there is none after it.

import type { Middleware } from '../middleware.ts';

export const turnLimit: Middleware = {
  name: 'turn-limit',
  decide: {
    turn(plan, view) {
      const { maxTurns } = view.limits;
      // A turn that a limit ended before its reply is made up for by the last word.
      if (plan.number > maxTurns && plan.last === null) return { ...plan, stop: 'maxTurns' };
      // Without tools there is nothing to withhold: an answer in the last turn is simply the answer.
      if (plan.number < maxTurns || plan.last !== null || !plan.tools.some((tool) => tool.isOffered)) return plan;
      // One turn in all leaves none for tools, so nothing is cut short by ending there.
      if (maxTurns === 1) return { ...plan, tools: plan.tools.filter(({ endsSession }) => endsSession) };
      const tools = plan.tools.filter(({ endsSession }) => endsSession);
      const { wrapUp, lastHandOver } = view.texts;
      const say = [...plan.say, wrapUp('maxTurns'), ...(tools.length > 0 ? [lastHandOver] : [])];
      return { ...plan, tools, say, last: 'maxTurns' };
    },
  },
};
