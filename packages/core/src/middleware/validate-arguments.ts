// Refuses a call whose arguments do not satisfy the schema of its tool.

import { AgentError, toFailure } from '../errors.ts';
import type { Middleware } from '../middleware.ts';
import { isResumption } from '../question.ts';
import { problemsOf } from '../schema.ts';

const resumeSchema = {
  type: 'object',
  properties: { resume: { type: 'string' }, answer: {} },
  required: ['resume', 'answer'],
} as const;

export const validateArguments: Middleware = {
  name: 'validate-arguments',
  decide: {
    call(plan) {
      if (plan.tool.isClientTool) return undefined;
      // Going on with a question is another kind of call than asking anew.
      const isResumed = plan.tool.agentName !== null && isResumption(plan.call.args);
      const { inputSchema, acceptedSchema = inputSchema } = plan.tool;
      const problems = problemsOf(isResumed ? resumeSchema : acceptedSchema, plan.call.args);
      if (problems.length === 0) return undefined;
      const message = `The arguments of ${plan.tool.name} do not fit: ${problems.join('; ')}.`;
      return { refused: toFailure(new AgentError('tool-arguments-invalid', message)) };
    },
  },
};
