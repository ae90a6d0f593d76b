// Does the real work of one session's tasks: lists tools, calls the model, runs a tool. The runtime decides when.

import { Scope } from './abort.ts';
import { toModelRefs } from './agent.ts';
import { AgentError, toFailure } from './errors.ts';
import type { Fact } from './events.ts';
import { HintWriter, toSubject } from './hints.ts';
import type { Json } from './json.ts';
import type { Message } from './message.ts';
import { layer, type ModelChoice, type ModelWork, type ToolWork } from './middleware.ts';
import type { Model, ModelReply } from './model.ts';
import { renderInstructions } from './open-agent.ts';
import type {
  MessageOperation,
  ModelResult,
  ModelTask,
  Opened,
  OpenedModel,
  OpenTask,
  Operation,
  SessionOperation,
  Settled,
  TaskOperation,
  ToolCall,
  ToolTask,
} from './operation.ts';
import { traceOf } from './place.ts';
import type { Prepared } from './prepared.ts';
import { costOf } from './price.ts';
import { readAnswer } from './question.ts';
import { readReply } from './read-reply.ts';
import type { Run } from './run.ts';
import type { Began, StartElsewhere, Workplace } from './runtime.ts';
import type { Setting } from './session-setting.ts';
import { toSystemPrompt } from './system-prompt.ts';
import { tokensOf, tokensOfTools } from './tokens.ts';
import {
  type SessionTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  thrownResult,
  toToolResult,
} from './tool.ts';
import type { ToolResult } from './tool-result.ts';

export interface PerformerParts extends Setting {
  readonly run: Run;
  readonly scope: Scope;
  readonly prepared: Prepared;
}

export class Performer implements Workplace {
  readonly #parts: PerformerParts;
  readonly #hints: HintWriter;
  /** The session before each one of a child that is kept. */
  #before: Map<string, string> | undefined;

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

  async perform(task: TaskOperation, scope: Scope, began: Began): Promise<Opened | ModelResult | ToolResult> {
    scope.throwIfAborted();
    if (task.task === 'model') return this.#callModel(task, scope, began);
    if (task.task === 'tool') return this.#runTool(task, scope, began);
    began();
    return this.#open(task);
  }

  async startSession(
    operation: SessionOperation,
    scope: Scope,
    began: Began,
    elsewhere?: StartElsewhere,
  ): Promise<ToolResult> {
    const { run, place, inherited, scope: own } = this.#parts;
    if (own.halted) throw own.halted;
    let isStarted = false;
    const result = await this.#throughLayers(operation, scope, async ({ call, scope: above }) => {
      // Its id derives from the operation: a second run under it could not be told from the first.
      if (isStarted)
        throw new AgentError(
          'agent-invalid',
          `A layer ran the session of ${call.instance} twice; to try again is up to the caller's model.`,
        );
      isStarted = true;
      began();
      if (elsewhere) return elsewhere({ ...operation, input: call });
      const below = new Scope(above);
      try {
        const tool = (await below.race(this.#find(call.tool))) as SessionTool;
        const history = this.#historyOf(operation);
        return await tool.startSession(call, { run, place, scope: below, inherited, ...history });
      } finally {
        below.close();
      }
    });
    // What was under way when a limit stopped this session says so, and keeps what it has.
    return own.halted && !result.failure ? { ...result, status: 'failed', failure: toFailure(own.halted) } : result;
  }

  receive({ name, question }: MessageOperation, scope: Scope): Promise<Json> {
    return this.#parts.run.receive(this.sessionId, name, scope, question);
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

  async #open({ input }: OpenTask): Promise<Opened> {
    const { agent, env, output, isOutputAsked, texts, prepared } = this.#parts;
    const [{ tools, opened }, models] = await Promise.all([prepared.tools(), this.#openModels()]);
    const resumed = input.resume ? { resumed: await this.#goOn(input.resume) } : {};
    const instructions = renderInstructions(agent, { now: this.clock.now(), env });
    // A contract the caller asked for is not the agent's own: it is told after the first answer.
    const contract = isOutputAsked ? { format: 'text' as const } : output;
    const system = toSystemPrompt(instructions, [...tools.values()], contract, texts);
    const offered = opened.filter((tool) => tool.isOffered);
    return { models, system, tools: opened, promptTokens: tokensOf(system) + tokensOfTools(offered), ...resumed };
  }

  /** A question is answered once; an answer that does not fit leaves it open. */
  async #goOn({ handle, answer }: NonNullable<OpenTask['input']['resume']>): Promise<NonNullable<Opened['resumed']>> {
    const { agent, run } = this.#parts;
    const paused = await run.ports.pauses.get(handle);
    if (paused?.agentName !== agent.name)
      throw new AgentError('question-unknown', `No session of ${agent.name} waits for an answer to "${handle}".`);
    const read = readAnswer(paused.question, answer);
    await run.ports.pauses.delete(handle);
    return { ...paused, answer: read };
  }

  /** One that cannot be made is passed over when it is asked; only when none can be made is the session over. */
  async #openModels(): Promise<readonly OpenedModel[]> {
    const refs = toModelRefs(this.#parts.agent);
    const made = await Promise.allSettled(refs.map((_, i) => this.#parts.prepared.model(i)));
    const broken = made.find((model) => model.status === 'rejected');
    if (broken && made.every((model) => model.status === 'rejected')) throw broken.reason;
    return Promise.all(
      made.map((model, i) => this.#describe(model.status === 'fulfilled' ? model.value : namedBy(refs[i]))),
    );
  }

  async #describe(model: Pick<Model, 'provider' | 'model' | 'contextWindowTokens'>): Promise<OpenedModel> {
    const { run, limits, inherited, agent } = this.#parts;
    const price = (await run.ports.prices?.(model.provider, model.model)) ?? null;
    if (price === null && inherited.isMoneyCounted)
      throw new AgentError(
        'price-unknown',
        `The budget of ${agent.name} counts money, and nobody knows what ${model.provider}/${model.model} costs.`,
      );
    const { provider, model: name, contextWindowTokens = limits.contextWindowTokens } = model;
    return { provider, model: name, price, contextWindowTokens };
  }

  async #callModel({ name, input }: ModelTask, scope: Scope, began: Began): Promise<ModelResult> {
    const { middleware, output } = this.#parts;
    const attempts: ModelWork['attempts'] = [];
    // A JSON report is withheld until it is valid.
    const streaming = { attempt: () => attempts.length + 1, isTextWithheld: output.format === 'json' };
    const choices = input.models.map((model, i) => this.#toChoice(model, i));
    let choice = choices[0] as ModelChoice;
    let isBegun = false;
    const call = layer<ModelWork, ModelReply>(
      middleware.map(({ perform }) => perform?.model),
      async (work) => {
        // The last one asked is the one that is booked, whichever layer chose it.
        choice = work.choice;
        const model = await choice.open();
        // Whoever called it off while it was being opened must not see it begin.
        work.scope.throwIfAborted();
        if (!isBegun) began();
        isBegun = true;
        const deltas = this.#hints.deltas(input.turn, streaming);
        const reply = readReply(await model.call(work.request, { signal: work.scope.signal, ...deltas }), name);
        const costUsd = reply.costUsd ?? costOf(choice.price ?? undefined, reply.usage);
        return costUsd === undefined ? reply : { ...reply, costUsd };
      },
    );
    const named = () => ({ provider: choice.provider, model: choice.model, attempts });
    try {
      const { request, inputTokens, limit } = input;
      const shared = this.#work(name, scope, { turn: input.turn, index: 0 });
      const reply = await call({ ...shared, choice, choices, request, inputTokens, limit, attempts });
      return { ...named(), reply };
    } catch (error) {
      scope.throwIfAborted();
      return { ...named(), failure: toFailure(error, 'model-failed') };
    }
  }

  #runTool(task: ToolTask, scope: Scope, began: Began): Promise<ToolResult> {
    const { input, name } = task;
    const { env, limits, run } = this.#parts;
    const progress = (text: string) => this.#hints.write({ type: 'tool-progress', op: name, text }, toSubject(input));
    const readOutput = async (handle: string) => run.ports.outputs.get(handle);
    return this.#throughLayers(task, scope, async ({ call, scope: own, trace }) => {
      const tool = (await this.#find(input.tool)) as ToolDefinition;
      own.throwIfAborted();
      began();
      const context: ToolContext = {
        get signal() {
          return own.signal;
        },
        trace,
        env,
        maxOutputBytes: limits.maxToolOutputBytes,
        progress,
        readOutput,
      };
      return toToolResult(await tool.execute(call.args, context));
    });
  }

  /** The onion around the real work of a call, whichever operation performs it. */
  async #throughLayers(
    { type, name, input }: { readonly type: ToolWork['operation']; readonly name: string; readonly input: ToolCall },
    scope: Scope,
    innermost: (work: ToolWork) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const call = layer(
      this.#parts.middleware.map(({ perform }) => perform?.tool),
      innermost,
    );
    try {
      const { timeoutMs } = await this.#find(input.tool);
      return await call({ ...this.#work(name, scope, toSubject(input)), call: input, operation: type, timeoutMs });
    } catch (error) {
      scope.throwIfAborted();
      return thrownResult(error);
    }
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

  #toChoice(opened: OpenedModel, index: number): ModelChoice {
    return { ...opened, open: () => this.#parts.prepared.model(index) };
  }

  /** What was said in the session before; one that never began passes on what was said before it. */
  #historyOf({ sessionId, after }: SessionOperation): { readonly history?: readonly Message[] } {
    if (after === undefined) return {};
    this.#before ??= new Map();
    this.#before.set(sessionId, after);
    for (let id: string | undefined = after; id !== undefined; id = this.#before.get(id)) {
      const history = this.#parts.run.records.conversations.of(id);
      if (history) return { history };
    }
    return {};
  }

  async #find(name: string): Promise<Tool> {
    const tool = (await this.#parts.prepared.tools()).tools.get(name);
    if (!tool)
      throw new AgentError('tool-unknown', `The tool ${name} was offered when the session opened, and is gone.`);
    return tool;
  }
}

/** A model that could not be made, by its name. */
function namedBy(ref: unknown): { readonly provider: string; readonly model: string } {
  const [provider = '', ...model] = typeof ref === 'string' ? ref.split('/') : [];
  return { provider, model: model.join('/') };
}
