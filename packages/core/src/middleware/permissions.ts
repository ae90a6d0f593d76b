// Refuses calls of tools that the agent, or one above it, may not call. Who has to be asked first is asked like for any other approval.

import { AgentError, toFailure } from '../errors.ts';
import type { Middleware } from '../middleware.ts';

export const permissions: Middleware = {
  name: 'permissions',
  decide: {
    call({ tool }, { place }) {
      if (!tool.isDenied) return undefined;
      const message = `${place.ancestry.at(-1)} may not call ${tool.name}.`;
      return { refused: toFailure(new AgentError('permission-denied', message)) };
    },
  },
};
