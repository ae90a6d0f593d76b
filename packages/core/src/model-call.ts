// A model call of a session: the layers around its requests, and a record of every request it sent.

import { callingFrom } from './calling.ts';
import { toFailure } from './errors.ts';
import type { Deltas, HintWriter, Waits } from './hints.ts';
import { layer, type ModelAttempt, type ModelChoice, type ModelWork, performing } from './middleware.ts';
import type { Model, ModelContext, ModelReply } from './model.ts';
import { toRequests } from './model-attempts.ts';
import { noted, withCost } from './model-choices.ts';
import type { ModelResult, ModelTask } from './operation.ts';
import { readReply, readUsage } from './read-reply.ts';
import { readReportCall } from './report-call.ts';
import type { Run } from './run.ts';
import type { Began } from './runtime.ts';
import type { Setting } from './setting.ts';
import { boundedFactor, tellingTokens } from './tokens.ts';

export interface ModelCallParts extends Pick<Setting, 'middleware' | 'output' | 'agent'> {
  readonly run: Run;
  readonly hints: HintWriter;
  readonly choices: readonly ModelChoice[];
  readonly task: ModelTask;
  /** Called when the first request is sent. */
  readonly began: Began;
  readonly work: Pick<ModelWork, 'place' | 'key' | 'scope' | 'trace' | 'limits' | 'texts' | 'ports'>;
}

export class ModelCall {
  readonly #parts: ModelCallParts;
  readonly #attempts: ModelAttempt[] = [];
  readonly #waits: Waits | undefined;
  /** The model that was asked last, or opened last if none was asked. */
  #choice: ModelChoice;
  readonly #startedAt: number;
  #isBegun = false;

  constructor(parts: ModelCallParts) {
    this.#parts = parts;
    this.#choice = parts.choices[0] as ModelChoice;
    this.#startedAt = parts.work.ports.clock.now();
    this.#waits = parts.hints.waits(parts.task.input.turn, this.#attempts);
  }

  /** Never rejects. A cancelled call settles too, so that the requests it sent are counted. */
  run(): Promise<ModelResult> {
    const { run, work: own, task, choices } = this.#parts;
    const { request, inputTokens, isCorrected } = task.input;
    run.secrets.spareAll(request.tools);
    const call = layer(performing(this.#parts.middleware).model, (work: ModelWork) => this.#send(work));
    const { scope } = own;
    const work = this.#toWork();
    // Promise chains keep less memory per waiting call than an async function. The race abandons work that ignores its scope.
    return (scope.reason ? Promise.reject(scope.reason) : scope.race(call(work))).then(
      (reply) => {
        // A layer may have made the reply.
        const isOwn = this.#choice.provider === choices[0]?.provider && this.#choice.model === choices[0].model;
        if (!isCorrected && isOwn) this.#learn({ counted: readUsage(reply.usage).inputTokens, estimated: inputTokens });
        return this.#end({ reply: run.secrets.isEmpty ? reply : readReply(reply, task.name, run.secrets) });
      },
      (error: unknown) => this.#end({ failure: run.secrets.keep(toFailure(scope.reason ?? error, 'model-failed')) }),
    );
  }

  #toWork(): ModelWork {
    const { work, task, choices, began } = this.#parts;
    const { request, inputTokens, limit } = task.input;
    const beganOnce = () => {
      if (!this.#isBegun) began();
      this.#isBegun = true;
    };
    return {
      ...work,
      request,
      inputTokens,
      limit,
      tokenFactor: this.#tokenFactor(),
      choice: this.#choice,
      choices: noted(choices, (chosen) => {
        this.#choice = chosen;
      }),
      attempts: this.#attempts,
      began: beganOnce,
      alive: nothing,
      ...(this.#waits ? { onWait: this.#waits.told } : {}),
    };
  }

  /** Sends a single request: the innermost work. */
  #send(work: ModelWork): Promise<ModelReply> {
    const { run, task } = this.#parts;
    // The model asked last is the one on record, whichever layer chose it.
    this.#choice = work.choice;
    let deltas: Deltas | undefined;
    let attempt: ModelAttempt | undefined;
    const send = (model: Model) => {
      work.scope.throwIfAborted();
      work.began();
      this.#waits?.sent(work.choice);
      deltas = this.#deltas();
      attempt = this.#newAttempt(work);
      return model.call(work.request, this.#contextOf(work, attempt, deltas));
    };
    return work.choice
      .open()
      .then(send)
      .then(
        (reply) => {
          deltas?.end();
          // An unreadable reply has used the tokens that it reports.
          if (attempt) addUsage(attempt, reply?.usage);
          const usage = attempt?.usage ?? {};
          const read = { ...readReportCall(readReply(reply, task.name, run.secrets), work.request), usage };
          const answer = withCost(read, work.choice);
          endAttempt(attempt, work, { reply: answer });
          return answer;
        },
        (error: unknown) => {
          deltas?.end();
          const shown = run.secrets.keepError(error, 'model-failed');
          const failure = toFailure(shown, 'model-failed');
          endAttempt(attempt, work, { failure });
          throw shown;
        },
      );
  }

  #deltas(): Deltas | undefined {
    const { hints, output, agent, task } = this.#parts;
    const { turn, step } = task.input;
    if (step) return undefined;
    // A JSON report is withheld until it is valid; text that another agent may follow is not the answer.
    const isTextWithheld = output.format === 'json' || agent.router !== undefined || agent.handoff !== undefined;
    const hasMetadata = agent.plugins !== undefined && agent.plugins.length > 0;
    return hints.deltas(turn, { attempt: this.#attempts.length + 1, isTextWithheld, hasMetadata });
  }

  #newAttempt({ choice, reserved, ports }: ModelWork): ModelAttempt {
    const { provider, model, price } = choice;
    const startedAt = ports.clock.now();
    const attempt: ModelAttempt = { provider, model, price, startedAt, isSent: true, reserved, usage: {} };
    this.#attempts.push(attempt);
    return attempt;
  }

  #contextOf(work: ModelWork, attempt: ModelAttempt, deltas: Deltas | undefined): ModelContext {
    return {
      signal: work.scope.signal,
      onAlive: work.alive,
      onUsage: (usage) => addUsage(attempt, usage),
      calling: callingFrom(work.place),
      ...(deltas ? { onDelta: deltas.onDelta } : {}),
    };
  }

  #end(end: Pick<ModelResult, 'reply' | 'failure'>): ModelResult {
    const { run, work } = this.#parts;
    const { provider, model } = this.#choice;
    const endedAt = work.ports.clock.now();
    const call = { provider, model, ...end, startedAt: this.#startedAt, endedAt };
    const requests = run.secrets.keep(toRequests(this.#attempts, call));
    return { provider, model, requests, ...end };
  }

  #tokenFactor(): number | undefined {
    const { run, choices, task } = this.#parts;
    if (task.input.isCorrected) return 1;
    const measured = choices[0]?.bytesPerToken === undefined ? undefined : 1;
    return run.tokenFactors.get(this.#modelName) ?? measured;
  }

  /** Sessions of the run that start later estimate their first request by this. */
  #learn({ counted, estimated }: { readonly counted: number | undefined; readonly estimated: number }): void {
    if (counted === undefined || estimated < tellingTokens) return;
    this.#parts.run.tokenFactors.set(this.#modelName, boundedFactor(counted / estimated));
  }

  get #modelName(): string {
    const { provider = '', model = '' } = this.#parts.choices[0] ?? {};
    return `${provider}/${model}`;
  }
}

/** A layer may have ended it before, for example by a timeout: then it stays failed. */
function endAttempt(
  attempt: ModelAttempt | undefined,
  { ports }: ModelWork,
  end: Pick<ModelAttempt, 'reply' | 'failure'>,
): void {
  if (attempt && attempt.endedAt === undefined) Object.assign(attempt, end, { endedAt: ports.clock.now() });
}

/** A report after the end comes too late: budgets were charged already. */
function addUsage(attempt: ModelAttempt, reported: unknown): void {
  if (attempt.endedAt === undefined) attempt.usage = { ...attempt.usage, ...readUsage(reported) };
}

/** The default if no layer reports progress. */
function nothing(): void {}
