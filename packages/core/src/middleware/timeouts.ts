// Ends a call that takes too long. The clock starts when the work does, after every queue.

import { AgentError } from '../errors.ts';
import { inTime, inWords, whileAlive } from '../in-time.ts';
import type { Middleware } from '../middleware.ts';

export const timeouts: Middleware = {
  name: 'timeouts',
  perform: {
    model(work, next) {
      const { choice, scope, ports, limits } = work;
      const durationMs = limits.llmTimeoutMs;
      let hasBegun = false;
      const late = () => {
        const how = hasBegun
          ? `fell silent for ${inWords(durationMs)}`
          : `did not answer within ${inWords(durationMs)}`;
        return new AgentError('model-timeout', `The model ${choice.provider}/${choice.model} ${how}.`);
      };
      return whileAlive({ clock: ports.clock, durationMs, scope, late }, (own, renew) => {
        const alive = () => {
          hasBegun = true;
          renew();
          work.alive();
        };
        return next({ ...work, scope: own, alive });
      });
    },
    tool(work, next) {
      // A session has its own budget of time, and ends with what it has instead of being dropped.
      if (work.operation === 'session') return next(work);
      const { scope, ports, call } = work;
      const durationMs = work.timeoutMs ?? work.limits.toolTimeoutMs;
      const late = () =>
        new AgentError('tool-timeout', `The tool ${call.tool} was not done within ${inWords(durationMs)}.`);
      return inTime({ clock: ports.clock, durationMs, scope, late }, (own) => next({ ...work, scope: own }));
    },
  },
};
