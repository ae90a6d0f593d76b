// Ends the work of a router when it hands its request over: whoever it named answers in its place.

import type { Middleware } from '../middleware.ts';
import { handOverName } from '../partner-tools.ts';

/** Before the layers that make a limit of what else happened in the turn. */
export const router: Middleware = {
  name: 'router',
  decide: {
    result(result, { tool, call }) {
      if (tool.name !== handOverName || result.status !== 'ok') return result;
      const { agent, message } = call.args;
      return { ...result, handOver: { agent: String(agent), ...(message ? { message: String(message) } : {}) } };
    },
    next(end) {
      const handOvers = end.type === 'called' ? end.results.flatMap(({ handOver }) => handOver ?? []) : [];
      const [handOver] = handOvers;
      return handOver && { end: { status: 'completed', text: '', handOver } };
    },
  },
};
