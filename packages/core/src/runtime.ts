// What a runtime is given to carry out the operations of one session.

import { Scope } from './abort.ts';
import type { Fact } from './events.ts';
import type { FilePart, Message } from './message.ts';
import type { MessageOperation, Operation, Runtime, SessionOperation, Settled, TaskOperation } from './operation.ts';
import type { Clock } from './ports.ts';
import type { ToolResult } from './tool-result.ts';

/** Made once per session. An engine's runtime closes over its own context; ours needs only the workplace. */
export type RuntimeFactory = (workplace: Workplace) => Runtime;

/** Called when the work itself begins, after every queue. */
export type Began = () => void;

/**
 * Runs a session where its caller is not: in another process, through an engine. `history` is the conversation that it
 * goes on with, and `attachments` what comes with its prompt: both are known only where its caller is.
 */
export type StartElsewhere = (
  operation: SessionOperation,
  history?: readonly Message[],
  attachments?: readonly FilePart[],
) => Promise<ToolResult>;

/** Where the work of one session is really done. Tasks are looked up here by name; closures never cross the seam. */
export interface Workplace {
  readonly sessionId: string;
  readonly scope: Scope;
  readonly clock: Clock;
  /**
   * Resolves with the task's value; rejects with an AgentError, at once when the scope ends. Not to be raced against it: the value
   * of a call that was stopped tells what its sessions did.
   */
  perform(task: TaskOperation, scope: Scope, began: Began): Promise<unknown>;
  /**
   * Runs the session one level down to its end, here or where the runtime says. Rejects only when this session itself
   * was cancelled or stopped.
   */
  startSession(
    operation: SessionOperation,
    scope: Scope,
    began: Began,
    elsewhere?: StartElsewhere,
  ): Promise<ToolResult>;
  /** Waits for a message from outside. */
  receive(operation: MessageOperation, scope: Scope): Promise<unknown>;
  /** To be told when the work of an operation begins, after any queue. */
  began(operation: Operation, at: number): void;
  /** To be told as soon as it is over, before its siblings are; without a value when it was cancelled. */
  ended(operation: Operation, settled: Settled<unknown> | undefined): void;
  /** To be told the facts of sessions that ran elsewhere; telling one twice does no harm. */
  tell(fact: Fact): void;
}

/** The scope of one operation: a stop ends its work, except a session below, which ends by itself, and the last word. */
export function scopeOf(operation: Operation, parent: Scope): Scope {
  if (operation.type === 'session') return new Scope(parent, operation.isAnswer ? 'last-word' : 'nothing');
  const isSpared =
    operation.type === 'task' &&
    (operation.task === 'open' || (operation.task === 'model' && operation.input.limit !== null));
  return new Scope(parent, isSpared ? 'cut' : 'stop');
}
