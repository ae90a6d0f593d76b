// Refuses the calls of one turn beyond maxToolCallsPerTurn, and runs the others.

import { AgentError, toFailure } from '../errors.ts';
import type { Middleware } from '../middleware.ts';

export const callLimit: Middleware = {
  name: 'call-limit',
  decide: {
    call(plan, view) {
      const { maxToolCallsPerTurn } = view.limits;
      // How many partners there are is not a model's choice.
      if (plan.call.index <= maxToolCallsPerTurn || plan.tool.partner) return undefined;
      const message = `Only ${maxToolCallsPerTurn} calls are run in one turn, and this was call ${plan.call.index}.`;
      const remedy = 'Send the remaining calls in the next turn.';
      return { refused: toFailure(new AgentError('tool-refused', message, { remedy })) };
    },
  },
};
