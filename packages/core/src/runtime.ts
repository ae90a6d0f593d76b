// What a runtime is given to carry out the operations of one session.

import type { Scope } from './abort.ts';
import type { Operation, Runtime, SessionOperation, Settled, TaskOperation } from './operation.ts';
import type { Clock } from './ports.ts';

/** Made once per session. An engine's runtime closes over its own context; ours needs only the workplace. */
export type RuntimeFactory = (workplace: Workplace) => Runtime;

/** Where the work of one session is really done. Tasks are looked up here by name; closures never cross the seam. */
export interface Workplace {
  readonly sessionId: string;
  readonly scope: Scope;
  readonly clock: Clock;
  /** Resolves with the task's value; rejects with an AgentError. */
  perform(task: TaskOperation, scope: Scope): Promise<unknown>;
  /** Runs the session one level down to its end. Rejects only when this session itself was cancelled. */
  startSession(operation: SessionOperation, scope: Scope): Promise<unknown>;
  /** Waits for a message from outside. */
  receive(name: string, scope: Scope): Promise<unknown>;
  /** To be told when the work of an operation begins, after any queue. */
  began(operation: Operation, at: number): void;
  /** To be told as soon as it is over, before its siblings are; without a value when it was cancelled. */
  ended(operation: Operation, settled: Settled<unknown> | undefined): void;
}
