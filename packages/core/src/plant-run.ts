// A new tree, with everything its sessions share.

import type { Scope } from './abort.ts';
import { TreeBudget } from './budget/tree-budget.ts';
import { AgentError } from './errors.ts';
import { MemoryOutputs } from './outputs.ts';
import { MemoryPauses } from './pauses.ts';
import type { Ports, RunPorts } from './ports.ts';
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
  return {
    ...ports,
    budget: ports.budget ?? new TreeBudget(ports.clock),
    outputs: ports.outputs ?? new MemoryOutputs(),
    pauses: ports.pauses ?? new MemoryPauses(),
    cache: ports.cache ?? new MemoryCache(ports.clock),
    workspace: ports.workspace ?? new MemoryWorkspace(),
  };
}
