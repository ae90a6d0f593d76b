// Ends a call that takes too long. The clock starts when the work does, after every queue.

import { AgentError, toFailure } from '../errors.ts';
import { inTime, inWords, sessionInTime, whileAlive } from '../in-time.ts';
import type { Middleware, ToolWork } from '../middleware.ts';
import type { ToolResult } from '../tool-result.ts';

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
      const { scope, ports, timeoutMs } = work;
      if (work.operation === 'session') return timeoutMs === undefined ? next(work) : session(work, timeoutMs, next);
      const durationMs = timeoutMs ?? work.limits.toolTimeoutMs;
      const late = () => tooLate(work, durationMs);
      return inTime({ clock: ports.clock, durationMs, scope, late }, (own) => next({ ...work, scope: own }));
    },
  },
};

/** A session that is stopped is partial if it has text, else a failed call. */
async function session(
  work: ToolWork,
  durationMs: number,
  next: (work: ToolWork) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { scope, ports } = work;
  let isStopped = false;
  const onStop = () => {
    isStopped = true;
  };
  const time = { clock: ports.clock, durationMs, scope, limit: 'toolTimeoutMs', onStop };
  const result = await sessionInTime(time, (own) => next({ ...work, scope: own }));
  if (!isStopped || result.text !== '' || result.session?.status === 'completed') return result;
  return { ...result, status: 'failed', failure: toFailure(tooLate(work, durationMs)) };
}

function tooLate({ call }: ToolWork, durationMs: number): AgentError {
  return new AgentError('tool-timeout', `The tool ${call.tool} was not done within ${inWords(durationMs)}.`);
}
