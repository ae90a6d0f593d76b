// A session below, run where its caller is not: in another process, from nothing but its operation.

import { Scope } from './abort.ts';
import type { Fact } from './events.ts';
import type { FilePart, Message } from './message.ts';
import type { SessionOperation } from './operation.ts';
import { toRunPorts } from './plant-run.ts';
import type { Ports } from './ports.ts';
import { type OnQuestion, Run } from './run.ts';
import { exceptInside } from './runtime/in-process.ts';
import type { RuntimeFactory } from './runtime.ts';
import type { Inherited, SessionTool } from './tool.ts';
import type { ToolResult } from './tool-result.ts';

export interface BranchOptions {
  readonly ports: Ports;
  /** Carries out the operations of this session, and of those below it. */
  readonly runtime: RuntimeFactory;
  /** Hears the facts of this session and those below it, for whoever started it. */
  readonly onFact: (fact: Fact) => void;
  readonly signal?: AbortSignal;
  /** The conversation it goes on with, for a child that is kept. */
  readonly history?: readonly Message[];
  /** What comes with its prompt, for a partner. */
  readonly attachments?: readonly FilePart[];
  /** Asked whenever a person has to answer. @default a question ends the session that asks */
  readonly onQuestion?: OnQuestion;
  /** What the tree hands down, as the root of it was configured. @default nothing */
  readonly inherited?: Partial<Inherited>;
}

/** Never rejects because the session went badly; a cancelled one rejects. */
export async function runBranch(
  tool: SessionTool,
  { input, caller }: SessionOperation,
  { ports, runtime, onFact, signal, history, attachments, inherited, onQuestion }: BranchOptions,
): Promise<ToolResult> {
  const runPorts = toRunPorts(ports);
  const scope = new Scope(() => runPorts.clock.now());
  if (signal) scope.follow(signal);
  const shared = { ports: runPorts, runtime: exceptInside(runtime), scope, onQuestion };
  const run = new Run({ originId: caller.originId, ...shared });
  const unlisten = run.listen((event) => (event.kind === 'fact' ? onFact(event) : undefined), { hints: false });
  try {
    const handedDown = { middleware: [], texts: {}, isMoneyCounted: false, ...inherited };
    const before = { ...(history ? { history } : {}), ...(attachments ? { attachments } : {}) };
    return await tool.startSession(input, { run, place: caller, scope, inherited: handedDown, ...before });
  } finally {
    unlisten();
    scope.close();
    await run.close();
  }
}
