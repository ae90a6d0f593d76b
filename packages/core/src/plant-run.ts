// A new tree, with everything its sessions share.

import type { Scope } from './abort.ts';
import { TreeBudget } from './budget/tree-budget.ts';
import { AgentError } from './errors.ts';
import { MemoryOutputs } from './outputs.ts';
import { MemoryPauses } from './pauses.ts';
import type { Clock, Ports, RunPorts } from './ports.ts';
import { MemoryCache } from './result-cache.ts';
import { type OnQuestion, Run } from './run.ts';
import { exceptInside } from './runtime/in-process.ts';
import type { RuntimeFactory } from './runtime.ts';
import { MemoryWorkspace } from './workspace-store.ts';

interface Planting {
  readonly ports?: Ports | undefined;
  readonly runtime: RuntimeFactory;
  readonly sessionId?: string | undefined;
  readonly scope: Scope;
  readonly onQuestion?: OnQuestion | undefined;
}

/** A new tree for a session at its root. */
export function plantRun({ ports, runtime, sessionId, scope, onQuestion }: Planting): Run {
  if (!ports) throw new AgentError('port-missing', 'A session at the root needs ports: a clock and ids.');
  const originId = sessionId ?? ports.ids.next();
  if (!/^[\w-]{1,128}$/.test(originId)) {
    throw new AgentError(
      'session-input-invalid',
      `The session id ${JSON.stringify(originId)} must be 1 to 128 letters, digits, dashes or underscores.`,
    );
  }
  return new Run({ originId, ports: toRunPorts(ports), runtime: exceptInside(runtime), scope, onQuestion });
}

/** What was not handed in is kept in memory, for as long as the tree lives. */
export function toRunPorts(ports: Ports): RunPorts {
  const clock = steadyClock(ports.clock);
  return {
    ...ports,
    clock,
    budget: ports.budget ?? new TreeBudget(clock),
    outputs: ports.outputs ?? new MemoryOutputs(),
    pauses: ports.pauses ?? new MemoryPauses(),
    cache: ports.cache ?? new MemoryCache(clock),
    workspace: ports.workspace ?? new MemoryWorkspace(),
  };
}

/**
 * The clock of one run: the wall clock as it was at the start, and the time since then. Timestamps of a run never go back, and
 * the difference of two is a duration, whatever the wall clock is set to meanwhile. All readings are whole milliseconds.
 */
function steadyClock(clock: Clock): Clock {
  const monotonicMs = () => Math.floor(clock.monotonicMs());
  const zeroAt = clock.now() - monotonicMs();
  return {
    now: () => zeroAt + monotonicMs(),
    monotonicMs,
    after: (durationMs, wake, isIdle) => clock.after(durationMs, wake, isIdle),
  };
}
