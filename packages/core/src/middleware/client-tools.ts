// Calls that whoever asked runs: only the root has somebody to hand them to, and each stands by itself.

import { AgentError, toFailure } from '../errors.ts';
import type { Middleware } from '../middleware.ts';

export const clientTools: Middleware = {
  name: 'client-tools',
  decide: {
    /** What was said beside the results is heard after them. */
    turn: (plan, { saidWithResults: said }) =>
      said && plan.number === firstAfterResults ? { ...plan, say: [said, ...plan.say] } : plan,
    call({ tool, isInBatch }, { place }) {
      if (!tool.isClientTool) return undefined;
      if (place.depth > 0)
        return refuse(`${tool.label} is run by whoever asked the first agent; nobody else can call it.`);
      return isInBatch ? refuse(`${tool.label} cannot be part of a batch: call it by itself.`) : undefined;
    },
  },
};

/** The turn whose calls were run elsewhere is gone on with as the first. */
const firstAfterResults = 2;

function refuse(message: string) {
  return { refused: toFailure(new AgentError('tool-arguments-invalid', message)) };
}
