// Does the real work of one session's tasks: lists tools, calls the model, runs a tool. The runtime decides when.

import type { Scope } from './abort.ts';
import type { TimeSpentMs } from './budget.ts';
import { AgentError, toFailure } from './errors.ts';
import type { Fact } from './events.ts';
import { HintWriter, toSubject } from './hints.ts';
import type { Json } from './json.ts';
import type { Message } from './message.ts';
import { layer, type ModelChoice, performing, type ToolWork } from './middleware.ts';
import { ModelCall } from './model-call.ts';
import { toChoices } from './model-choices.ts';
import { openSession } from './open-session.ts';
import type {
  MessageOperation,
  ModelResult,
  ModelTask,
  Opened,
  Operation,
  SessionOperation,
  Settled,
  TaskOperation,
  ToolCall,
  ToolTask,
} from './operation.ts';
import { selfAndAncestors, traceOf } from './place.ts';
import type { Prepared } from './prepared.ts';
import { type Recalled, recalled } from './recall.ts';
import type { Run } from './run.ts';
import type { Began, StartElsewhere, Workplace } from './runtime.ts';
import type { Setting } from './setting.ts';
import { taskStatus } from './task-status.ts';
import { toToolResult } from './to-tool-result.ts';
import type { SessionTool, Tool, ToolDefinition } from './tool.ts';
import { CallContexts } from './tool-context.ts';
import { type SessionResult, type ToolResult, thrownResult } from './tool-result.ts';
import { toolIn } from './toolbox.ts';

export interface PerformerParts extends Setting {
  readonly run: Run;
  readonly scope: Scope;
  readonly prepared: Prepared;
  /** What the session was opened with: the history, and what it is asked. */
  readonly opening: () => readonly Message[];
}

export class Performer implements Workplace {
  readonly #parts: PerformerParts;
  readonly #hints: HintWriter;
  /** The session before each one of a child that is kept. */
  #before: Map<string, string> | undefined;
  #choices: readonly ModelChoice[] | undefined;

  constructor(parts: PerformerParts) {
    this.#parts = parts;
    this.#hints = new HintWriter(parts.run, parts.place);
  }

  get sessionId() {
    return this.#parts.place.id;
  }

  get scope() {
    return this.#parts.scope;
  }

  get clock() {
    return this.#parts.run.ports.clock;
  }

  perform(task: TaskOperation, scope: Scope, began: Began): Promise<Opened | ModelResult | ToolResult> {
    if (task.task === 'model') return this.#callModel(task, scope, began);
    scope.throwIfAborted();
    // Raced: work that ignores its scope is left behind.
    if (task.task === 'tool') return this.#runTool(task, scope, began);
    began();
    return scope.race(openSession(this.#parts, task));
  }

  async startSession(
    operation: SessionOperation,
    scope: Scope,
    began: Began,
    elsewhere?: StartElsewhere,
  ): Promise<ToolResult> {
    const { run, place, inherited, scope: own } = this.#parts;
    // Also of a call that a layer refuses: the next one goes on from what was said before it.
    const history = this.#historyOf(operation);
    if (own.halted) throw own.halted;
    let isStarted = false;
    const start = ({ call, scope: above }: ToolWork) => {
      // Its id derives from the operation: a second run under it could not be told from the first.
      if (isStarted)
        throw new AgentError(
          'agent-invalid',
          `A layer ran the session of ${call.instance} twice; to try again is up to the caller's model.`,
          { remedy: 'Correct the middleware: a session is performed once.' },
        );
      isStarted = true;
      above.throwIfAborted();
      began();
      if (elsewhere) return elsewhere({ ...operation, input: call }, history.history, history.attachments);
      const caller = { run, place, scope: above, inherited, ...history };
      return this.#withTool(call, above, (tool) => (tool as SessionTool).startSession(call, caller));
    };
    let session: SessionResult | undefined;
    const passed = await this.#throughLayers(operation, scope, async (work) => {
      const result = run.secrets.keep(await start(work));
      session = result.session;
      return result;
    });
    // A layer that makes a result of its own does not undo what the session used or asks.
    const result = session && !passed.session ? { ...passed, session } : passed;
    // What a limit stopped says so, and keeps what it has; only this session still has a last word.
    const isOwnLimit = !result.failure || result.failure.class === 'budget';
    return own.halted && isOwnLimit ? { ...result, status: 'failed', failure: toFailure(own.halted) } : result;
  }

  receive({ name, question }: MessageOperation, scope: Scope): Promise<Json> {
    const { run } = this.#parts;
    // A call above, whose work this session is part of, waits too.
    const goOn = question && scope.stand();
    const received = run.receive(this.sessionId, name, scope, question).finally(goOn);
    return received.then(
      (message) => run.secrets.keep(message),
      (error: unknown) => {
        throw run.secrets.keepError(error, 'internal');
      },
    );
  }

  began(operation: Operation, at: number): void {
    this.#hints.began(operation, at);
  }

  ended(operation: Operation, settled: Settled<unknown> | undefined): void {
    this.#hints.ended(operation, settled);
  }

  tell(fact: Fact): void {
    this.#parts.run.emit(fact);
  }

  #callModel(task: ModelTask, scope: Scope, began: Began): Promise<ModelResult> {
    this.#choices ??= toChoices(task.input.models, this.#parts);
    const { name, input } = task;
    const work = this.#work(name, scope, { turn: input.turn, index: 0 });
    const call = new ModelCall({ ...this.#parts, hints: this.#hints, choices: this.#choices, task, began, work });
    return call.run().then((result) => ({ ...result, ...this.#timeSpent() }));
  }

  #runTool(task: ToolTask, scope: Scope, began: Began): Promise<ToolResult> {
    const { secrets } = this.#parts.run;
    const contexts = new CallContexts(this.#parts, this.#hints, task);
    const run = (work: ToolWork) =>
      this.#withTool(work.call, work.scope, async (tool) => {
        // Whoever called it off while it was being prepared must not see it begin.
        work.scope.throwIfAborted();
        began();
        // Before any layer sees it: what is too long is kept by one of them.
        try {
          return secrets.keep(
            toToolResult(await (tool as ToolDefinition).execute(work.call.args, contexts.toContext(work))),
          );
        } catch (error) {
          throw secrets.keepError(error, 'tool-failed');
        }
      });
    return this.#throughLayers(task, scope, run, contexts).then((result) => ({ ...result, ...this.#timeSpent() }));
  }

  #timeSpent(): { readonly timeSpentMs?: TimeSpentMs } {
    const { run, place } = this.#parts;
    const spent = selfAndAncestors(place.id).map((id) => [id, run.ports.budget.spentBy(id).timeMs] as const);
    const known = spent.filter(([, timeMs]) => timeMs > 0);
    return known.length > 0 ? { timeSpentMs: Object.fromEntries(known) } : {};
  }

  /** The onion around the real work of a call, whichever operation performs it. */
  async #throughLayers(
    { type, name, input }: { readonly type: ToolWork['operation']; readonly name: string; readonly input: ToolCall },
    scope: Scope,
    innermost: (work: ToolWork) => Promise<ToolResult>,
    contexts?: CallContexts,
  ): Promise<ToolResult> {
    const { secrets } = this.#parts.run;
    let result: ToolResult;
    try {
      const shared = this.#work(name, scope, toSubject(input));
      const passing = this.#withTool(input, scope, (tool) => {
        const { queue, cache, partner, timeoutMs: own } = tool as Tool & Partial<SessionTool>;
        const layers = performing(this.#parts.middleware)[cache ? 'cachedTool' : 'tool'];
        const onWait =
          queue && ((text: string) => this.#hints.write({ type: 'tool-progress', op: name, text }, toSubject(input)));
        const timeoutMs = partner ? own : leastOf(own, this.#parts.agent.limits?.toolTimeoutMs);
        const isStatus = tool === taskStatus;
        const work = { ...shared, call: input, operation: type, timeoutMs, queue, cache, partner, isStatus, onWait };
        return layer(layers, innermost)(work);
      });
      // A session ends by itself, and its last facts come before its caller's.
      result = secrets.keep(await (contexts ? scope.race(passing) : passing));
    } catch (error) {
      if (scope.reason && contexts) return contexts.callOff(scope.reason, this.scope);
      scope.throwIfAborted();
      result = secrets.keep(thrownResult(error));
    }
    // However the call went, what it ran is over when it is.
    return contexts ? contexts.end(result) : result;
  }

  #work(name: string, scope: Scope, subject: Parameters<typeof traceOf>[1]) {
    const { place, run, limits, texts } = this.#parts;
    return {
      place,
      key: `${place.id}/${name}`,
      scope,
      trace: traceOf(place, subject),
      limits,
      texts,
      ports: run.ports,
    };
  }

  /** What was said in the session before; one that never began passes on what was said before it. */
  #historyOf({ sessionId, after, recalls }: SessionOperation): Recalled {
    // Not from the records: what is shown to whoever looks on is not what a model works with.
    if (recalls !== undefined) return this.#parts.run.secrets.keep(recalled(this.#parts.opening(), recalls));
    if (after === undefined) return {};
    this.#before ??= new Map();
    this.#before.set(sessionId, after);
    for (let id: string | undefined = after; id !== undefined; id = this.#before.get(id)) {
      const history = this.#parts.run.records.conversations.of(id);
      if (history) return { history };
    }
    return {};
  }

  /** Tools are there from the first operation on, except after a replay: then they are waited for. */
  #withTool<T>({ tool: name }: ToolCall, scope: Scope, use: (tool: Tool) => Promise<T>): Promise<T> {
    const { toolbox } = this.#parts.prepared;
    if (toolbox) return use(toolIn(toolbox, name));
    return scope.race(this.#parts.prepared.tools()).then((opened) => use(toolIn(opened, name)));
  }
}

/** The shorter of the timeouts of the tool and of the agent that calls. Undefined when only defaults hold. */
function leastOf(...timeouts: readonly (number | undefined)[]): number | undefined {
  const set = timeouts.filter((timeout) => timeout !== undefined);
  return set.length > 0 ? Math.min(...set) : undefined;
}
