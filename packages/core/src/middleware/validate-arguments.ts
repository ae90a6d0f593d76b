// Refuses a call whose arguments do not satisfy the schema of its tool.

import { AgentError, toFailure } from '../errors.ts';
import type { Middleware } from '../middleware.ts';
import { problemsOf } from '../schema.ts';

export const validateArguments: Middleware = {
  name: 'validate-arguments',
  decide: {
    call(plan) {
      const problems = problemsOf(plan.tool.inputSchema, plan.call.args);
      if (problems.length === 0) return undefined;
      const message = `The arguments of ${plan.tool.name} do not fit: ${problems.join('; ')}.`;
      return { refused: toFailure(new AgentError('tool-arguments-invalid', message)) };
    },
  },
};
