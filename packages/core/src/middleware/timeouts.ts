// Ends a call that takes too long. The clock starts when the work does, after every queue.

import { AgentError } from '../errors.ts';
import { inTime, inWords } from '../in-time.ts';
import type { Middleware, ModelWork, ToolWork } from '../middleware.ts';

export const timeouts: Middleware = {
  name: 'timeouts',
  perform: {
    model(work, next) {
      const { provider, model } = work.choice;
      const durationMs = work.limits.llmTimeoutMs;
      const late = () =>
        new AgentError('model-timeout', `The model ${provider}/${model} did not answer within ${inWords(durationMs)}.`);
      return within(durationMs, work, late, next);
    },
    tool(work, next) {
      // A session has its own budget of time, and ends with what it has instead of being dropped.
      if (work.operation === 'session') return next(work);
      const durationMs = work.timeoutMs ?? work.limits.toolTimeoutMs;
      const late = () =>
        new AgentError('tool-timeout', `The tool ${work.call.tool} was not done within ${inWords(durationMs)}.`);
      return within(durationMs, work, late, next);
    },
  },
};

function within<W extends ModelWork | ToolWork, R>(
  durationMs: number,
  work: W,
  late: () => AgentError,
  next: (work: W) => Promise<R>,
): Promise<R> {
  const { scope, ports } = work;
  return inTime({ clock: ports.clock, durationMs, scope, late }, (own) => next({ ...work, scope: own }));
}
