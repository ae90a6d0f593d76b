// What a session of an agent offers its model, from a real session that opens and goes no further.

import type { LoadedAgent } from '@ai-agent/agents';
import {
  AgentError,
  inProcess,
  type Model,
  type Opened,
  type OpenedTool,
  type Operation,
  type ResultOf,
  type RuntimeFactory,
  type Settled,
  toFailure,
} from '@ai-agent/core';
import { AIAgentSession } from '../library.ts';

export interface Opening {
  readonly signal: AbortSignal;
  /** Whether somebody could be asked: some tools are there only then. */
  readonly isAttended: boolean;
}

/** In the order that the model gets, also those that it is not offered. Throws what kept the session from opening. */
export async function openTools(
  { agent, session: given }: LoadedAgent,
  { signal, isAttended }: Opening,
): Promise<readonly OpenedTool[]> {
  let opened: Opened | undefined;
  const runtime = openOnly((value) => {
    opened = value;
  });
  // Which model is asked, and for how much, changes nothing about the tools; it may lack its key here.
  const session = new AIAgentSession({
    ...given,
    ...(isAttended ? { onQuestion: () => null } : {}),
    agent: { ...agent, model: nobody, budget: {} },
    runtime,
    signal,
  });
  const outcome = await session.run('').outcome;
  if (opened) return opened.tools;
  const { code, message, remedy, class: itsClass } = 'failure' in outcome ? outcome.failure : toFailure(undefined);
  throw new AgentError(code, message, { remedy, class: itsClass });
}

/** Carries the first operation out, and calls that the end. */
function openOnly(onOpened: (opened: Opened) => void): RuntimeFactory {
  return (workplace) => {
    const real = inProcess(workplace);
    return {
      async do<O extends Operation>(operation: O): Promise<Settled<ResultOf<O>>> {
        const settled = await real.do(operation);
        if (!settled.ok) return settled;
        if (operation.type === 'task' && operation.task === 'open') onOpened(settled.value as Opened);
        const { startedAt, endedAt } = settled;
        return { ok: false, failure: enough, startedAt, endedAt };
      },
      all: (operations, options) => real.all(operations, options),
    };
  };
}

const enough = toFailure(new AgentError('cancelled', 'The tools are known.'));

const nobody: Model = {
  provider: 'nobody',
  model: 'none',
  call: () => Promise.reject(new AgentError('model-failed', 'Nobody is asked.')),
};
