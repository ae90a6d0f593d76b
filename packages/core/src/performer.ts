// Does the real work of one session's tasks: lists tools, calls the model, runs a tool. The runtime decides when.

import type { Scope } from './abort.ts';
import type { TimeSpentMs } from './budget.ts';
import { callingFrom } from './calling.ts';
import { AgentError, toFailure } from './errors.ts';
import type { Fact } from './events.ts';
import { toFailedAttempts } from './failed-attempts.ts';
import { type Deltas, HintWriter, toSubject } from './hints.ts';
import type { Json } from './json.ts';
import type { Message } from './message.ts';
import { layer, type ModelAttempt, type ModelChoice, type ModelWork, performing, type ToolWork } from './middleware.ts';
import type { Model, ModelReply } from './model.ts';
import { noted, toChoices, withCost } from './model-choices.ts';

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
import { readReply, readUsage } from './read-reply.ts';
import { type Recalled, recalled } from './recall.ts';
import { readReportCall } from './report-call.ts';
import type { Run } from './run.ts';
import type { Began, StartElsewhere, Workplace } from './runtime.ts';
import type { Setting } from './setting.ts';
import { taskStatus } from './task-status.ts';
import { toToolResult } from './to-tool-result.ts';
import { boundedFactor, tellingTokens, uncountedFactor } from './tokens.ts';
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

  #callModel({ name, input }: ModelTask, scope: Scope, began: Began): Promise<ModelResult> {
    const { middleware, output, run, agent } = this.#parts;
    const attempts: ModelWork['attempts'] = [];
    // A JSON report is withheld until it is valid; what another agent may follow is not the answer.
    const isTextWithheld = output.format === 'json' || agent.router !== undefined || agent.handoff !== undefined;
    const hasMetadata = agent.plugins !== undefined && agent.plugins.length > 0;
    run.secrets.spareAll(input.request.tools);
    this.#choices ??= toChoices(input.models, this.#parts);
    let choice = this.#choices[0] as ModelChoice;
    // Whoever is opened was chosen, also when it never comes to a request.
    const choices = noted(this.#choices, (chosen) => {
      choice = chosen;
    });
    const waits = this.#hints.waits(input.turn, attempts);
    let isBegun = false;
    const beganOnce = () => {
      if (!isBegun) began();
      isBegun = true;
    };
    const call = layer<ModelWork, ModelReply>(performing(middleware).model, (work) => {
      // The last one asked is the one that is booked, whichever layer chose it.
      choice = work.choice;
      let deltas: Deltas | undefined;
      let attempt: ModelAttempt | undefined;
      const send = (model: Model) => {
        work.scope.throwIfAborted();
        work.began();
        waits?.sent(work.choice);
        if (!input.step)
          deltas = this.#hints.deltas(input.turn, { attempt: attempts.length + 1, isTextWithheld, hasMetadata });
        const sent = this.#newAttempt(work);
        attempt = sent;
        attempts.push(sent);
        const onUsage = (reported: unknown) => {
          sent.usage = { ...sent.usage, ...readUsage(reported) };
        };
        const context = { signal: work.scope.signal, onAlive: work.alive, onUsage, calling: callingFrom(work.place) };
        return model.call(work.request, deltas ? { ...context, onDelta: deltas.onDelta } : context);
      };
      return choice
        .open()
        .then(send)
        .then(
          (reply) => {
            deltas?.end();
            // An unreadable reply has used what it says.
            if (attempt) attempt.usage = { ...attempt.usage, ...readUsage(reply?.usage) };
            const read = withCost(readReportCall(readReply(reply, name, run.secrets), work.request), work.choice);
            answered = attempt;
            return read;
          },
          (error: unknown) => {
            deltas?.end();
            const shown = run.secrets.keepError(error, 'model-failed');
            if (attempt)
              Object.assign(attempt, { failure: toFailure(shown, 'model-failed'), endedAt: this.clock.now() });
            throw shown;
          },
        );
    });
    let answered: ModelAttempt | undefined;
    const endWith = (end: Pick<ModelResult, 'reply' | 'failure'>): ModelResult => {
      const { failure } = end;
      const failed = toFailedAttempts(attempts, {
        endedAt: this.clock.now(),
        ...(failure ? { failure } : { answered }),
      });
      return {
        provider: choice.provider,
        model: choice.model,
        attempts: failed.length > 0 ? run.secrets.keep(failed) : failed,
        ...(end.reply && answered ? { sentAt: answered.startedAt } : {}),
        ...end,
        ...this.#timeSpent(),
      };
    };
    const { request, inputTokens, limit } = input;
    const shared = { ...this.#work(name, scope, { turn: input.turn, index: 0 }), request, inputTokens, limit };
    const told = waits && { onWait: waits.told };
    // Before its first reply a session knows its own estimate alone.
    const isFirst = !request.messages.some(({ role }) => role === 'assistant');
    const modelName = `${choice.provider}/${choice.model}`;
    const learned = run.tokenFactors.get(modelName) ?? (choice.bytesPerToken === undefined ? uncountedFactor : 1);
    const tokenFactor = isFirst ? learned : 1;
    const work = { ...shared, tokenFactor, choice, choices, attempts, began: beganOnce, alive: nothing, ...told };
    // Not async: a call that waits for its reply holds no more than it needs. Raced: work that ignores its scope is left
    // behind. A cancelled call settles too, so that the requests it sent are counted.
    return (scope.reason ? Promise.reject(scope.reason) : scope.race(call(work))).then(
      // The reply may come from a layer.
      (reply) => {
        if (isFirst) learn(run.tokenFactors, modelName, { counted: reply.usage.inputTokens, estimated: inputTokens });
        return endWith({ reply: run.secrets.isEmpty ? reply : readReply(reply, name, run.secrets) });
      },
      (error: unknown) => endWith({ failure: run.secrets.keep(toFailure(scope.reason ?? error, 'model-failed')) }),
    );
  }

  #newAttempt({ choice: { provider, model, price }, reserved }: ModelWork): ModelAttempt {
    return { provider, model, price, startedAt: this.clock.now(), isSent: true, reserved, usage: {} };
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
        const {
          queue,
          cache,
          partner,
          timeoutMs = timeoutFor(this.#parts.agent, partner),
        } = tool as Tool & Partial<SessionTool>;
        const layers = performing(this.#parts.middleware)[cache ? 'cachedTool' : 'tool'];
        const onWait =
          queue && ((text: string) => this.#hints.write({ type: 'tool-progress', op: name, text }, toSubject(input)));
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

/** The timeout that an agent itself sets for its tool calls. A partner is none: it works on the same request. */
function timeoutFor({ limits }: Setting['agent'], partner: SessionTool['partner']): number | undefined {
  return partner ? undefined : limits?.toolTimeoutMs;
}

interface Counted {
  readonly counted: number | undefined;
  readonly estimated: number;
}

/** Sessions of a run that start later estimate their first request by this. */
function learn(factors: Map<string, number>, model: string, { counted, estimated }: Counted): void {
  if (counted !== undefined && estimated >= tellingTokens) factors.set(model, boundedFactor(counted / estimated));
}

/** Stands in where no layer listens. */
function nothing(): void {}
