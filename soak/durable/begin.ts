// How each operation begins on the engine, what it then waits for, and what becomes of it when that arrives.

import {
  AgentError,
  type Fact,
  isAgentError,
  type Message,
  type Operation,
  type SessionOperation,
  type Settled,
  type StartElsewhere,
  scopeOf,
  type TaskOperation,
  type ToolResult,
  toFailure,
  type Workplace,
} from '@ai-agent/cli';
import { RestatePromise, TerminalError, type WorkflowContext } from '@restatedev/restate-sdk';

/** What the invocation of a session below gives back. */
export interface Told {
  readonly result: ToolResult;
  readonly facts: readonly Fact[];
}

/** What the invocation of a session below is given. */
export interface Sent {
  readonly operation: SessionOperation;
  /** What was said before, when it goes on from another session. */
  readonly history?: readonly Message[] | undefined;
}

/** The workflow that runs sessions below, by session id: an id runs once, however often it is asked for. */
export interface SessionsBelow {
  run(ctx: WorkflowContext, sent: Sent): Promise<Told>;
}

/** An operation under way. */
export interface Begun {
  readonly arriving: RestatePromise<Arrived>;
  finish(arrived: Arrived): Promise<Settled<unknown>>;
}

export interface Arrived {
  readonly value?: unknown;
  readonly failure?: TerminalError;
}

interface Engine {
  readonly ctx: WorkflowContext;
  readonly workplace: Workplace;
  /** The name of the workflow for sessions below. */
  readonly sessions: string;
}

export function beginOperation(engine: Engine): (operation: Operation) => Begun | Promise<Begun> {
  return (operation) => {
    if (operation.type === 'task') return beginTask(engine, operation);
    if (operation.type === 'session') return beginSession(engine, operation);
    if (operation.type === 'timer') return beginTimer(engine, operation);
    const problem = `This runtime receives no messages: nobody can answer ${operation.name}.`;
    return {
      arriving: RestatePromise.resolve<Arrived>({}),
      finish: async () => ({
        ok: false,
        failure: toFailure(new AgentError('port-missing', problem)),
        ...(await at(engine)),
      }),
    };
  };
}

function beginTask(engine: Engine, operation: TaskOperation): Begun {
  const { ctx, workplace } = engine;
  // Failures are values, so there is nothing to retry: a step that throws was cancelled, or cannot be written down.
  const step = ctx.run(operation.name, () => performTask(workplace, operation), { maxRetryAttempts: 1 });
  return {
    arriving: step.map(toArrived),
    async finish({ value, failure }) {
      if (!failure) return value as Settled<unknown>;
      workplace.scope.throwIfAborted();
      return { ok: false, failure: toFailure(failure), ...(await at(engine)) };
    },
  };
}

async function performTask(workplace: Workplace, operation: TaskOperation): Promise<Settled<unknown>> {
  const { clock } = workplace;
  const scope = scopeOf(operation, workplace.scope);
  let startedAt = clock.now();
  const began = () => {
    startedAt = clock.now();
    workplace.began(operation, startedAt);
  };
  try {
    const value = await workplace.perform(operation, scope, began);
    return { ok: true, value, startedAt, endedAt: clock.now() };
  } catch (error) {
    if (isOwnCancellation(workplace, error)) throw new TerminalError('The session was cancelled.');
    return { ok: false, failure: toFailure(error), startedAt, endedAt: clock.now() };
  } finally {
    scope.close();
  }
}

/** The layers around the call run here, the session elsewhere: begun is when the call has left, or never will. */
async function beginSession(engine: Engine, operation: SessionOperation): Promise<Begun> {
  const { ctx, workplace, sessions } = engine;
  const scope = scopeOf(operation, workplace.scope);
  const left = Promise.withResolvers<void>();
  const reply = Promise.withResolvers<ToolResult>();
  let call: RestatePromise<Told> | undefined;
  const callOut: StartElsewhere = (sent, history) => {
    call = ctx.workflowClient<SessionsBelow>({ name: sessions }, sent.sessionId).run({ operation: sent, history });
    left.resolve();
    return reply.promise;
  };
  const over = workplace
    .startSession(operation, scope, () => workplace.began(operation, workplace.clock.now()), callOut)
    .then(
      (value) => ({ ok: true, value }) as const,
      (error: unknown) => {
        if (isOwnCancellation(workplace, error)) throw error;
        return { ok: false, failure: toFailure(error) } as const;
      },
    )
    .finally(() => scope.close());
  await Promise.race([left.promise, over]);
  return {
    arriving: call?.map(toArrived) ?? RestatePromise.resolve<Arrived>({}),
    async finish({ value, failure }) {
      const told = value as Told | undefined;
      for (const fact of told?.facts ?? []) workplace.tell(fact);
      if (told) reply.resolve(told.result);
      else reply.reject(new AgentError('tool-failed', failure?.message ?? 'The session did not start.'));
      return { ...(await over), ...(timesOf(told, operation.sessionId) ?? (await at(engine))) };
    },
  };
}

/** As the session itself recorded them: the same on every replay. */
function timesOf(told: Told | undefined, sessionId: string) {
  const end = told?.facts.findLast(({ type, trace }) => type === 'session-end' && trace.selfId === sessionId);
  return end?.type === 'session-end' ? { startedAt: end.startedAt, endedAt: end.endedAt } : undefined;
}

async function beginTimer(
  { ctx }: Engine,
  { durationMs, name }: Extract<Operation, { type: 'timer' }>,
): Promise<Begun> {
  const startedAt = await ctx.date.now();
  return {
    arriving: ctx.sleep(durationMs, name).map(toArrived),
    finish: async () => ({ ok: true, value: null, startedAt, endedAt: await ctx.date.now() }),
  };
}

function toArrived(value?: unknown, failure?: TerminalError): Arrived {
  return { value, ...(failure ? { failure } : {}) };
}

/** Now, recorded. */
async function at({ ctx }: Engine) {
  const now = await ctx.date.now();
  return { startedAt: now, endedAt: now };
}

function isOwnCancellation(workplace: Workplace, error: unknown): boolean {
  return workplace.scope.isAborted && isAgentError(error) && error.class === 'cancelled';
}
