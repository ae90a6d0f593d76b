// Does the real work of one session's tasks: lists tools, calls the model, runs a tool. The runtime decides when.

import { cancelled, Scope } from './abort.ts';
import type { Agent } from './agent.ts';
import { AgentError, toFailure } from './errors.ts';
import { HintWriter, toSubject } from './hints.ts';
import { layer, type Middleware, type ModelWork, type ToolWork } from './middleware.ts';
import type { Model, ModelReply, OutputContract } from './model.ts';
import { renderInstructions, resolveModel } from './open-agent.ts';
import type {
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
import { type Place, traceOf } from './place.ts';
import type { EnvOverlay } from './ports.ts';
import { readReply } from './read-reply.ts';
import type { Run } from './run.ts';
import type { Workplace } from './runtime.ts';
import { toSystemPrompt } from './system-prompt.ts';
import type { Texts } from './texts.ts';
import {
  type Inherited,
  type SessionTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolOffer,
  thrownResult,
  toToolResult,
} from './tool.ts';
import type { ToolResult } from './tool-result.ts';
import { openToolbox, type Toolbox } from './toolbox.ts';

export interface PerformerParts {
  readonly agent: Agent;
  readonly run: Run;
  readonly place: Place;
  readonly scope: Scope;
  readonly env: EnvOverlay;
  readonly tools: readonly ToolOffer[];
  readonly output: OutputContract;
  readonly isOutputAsked: boolean;
  readonly texts: Texts;
  readonly middleware: readonly Middleware[];
  readonly inherited: Inherited;
}

export class Performer implements Workplace {
  readonly #parts: PerformerParts;
  readonly #hints: HintWriter;
  // Opened when first needed: after a replay, the operation that recorded them is not performed again.
  #toolbox: Promise<Toolbox> | undefined;
  #isOpen = false;
  readonly #opening: Scope;
  #model: Promise<Model> | undefined;

  constructor(parts: PerformerParts) {
    this.#parts = parts;
    this.#hints = new HintWriter(parts.run, parts.place);
    this.#opening = new Scope(parts.scope);
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

  async perform(task: TaskOperation, scope: Scope): Promise<Opened | ModelResult | ToolResult> {
    if (task.task === 'open') return this.#open();
    if (task.task === 'model') return this.#callModel(task, scope);
    return this.#runTool(task, scope);
  }

  startSession({ input }: SessionOperation, scope: Scope): Promise<ToolResult> {
    const { run, place, inherited } = this.#parts;
    let isStarted = false;
    return this.#throughLayers({ input, operation: 'session' }, scope, async ({ call, signal }) => {
      // Its id derives from the operation: a second run under it could not be told from the first.
      if (isStarted)
        throw new AgentError(
          'agent-invalid',
          `A layer ran the session of ${call.instance} twice; to try again is up to the caller's model.`,
        );
      isStarted = true;
      const below = new Scope(scope);
      if (signal !== scope.signal) below.follow(signal);
      try {
        const tool = (await below.race(this.#find(call.tool))) as SessionTool;
        return await tool.startSession(call, { run, place, scope: below, inherited });
      } finally {
        below.close();
      }
    });
  }

  receive(name: string, scope: Scope) {
    return this.#parts.run.inbox.receive(this.sessionId, name, scope);
  }

  began(operation: Operation, at: number): void {
    this.#hints.began(operation, at);
  }

  ended(operation: Operation, settled: Settled<unknown> | undefined): void {
    this.#hints.ended(operation, settled);
  }

  /** Tools that are still being listed are not waited for: whatever comes of them is closed when it comes. */
  async close(): Promise<void> {
    const closing = this.#toolbox?.then(
      (toolbox) => toolbox.close(),
      () => {},
    );
    if (this.#isOpen) await closing;
    else this.#opening.abort(cancelled('The session ended before its tools were there.'));
    this.#opening.close();
  }

  async #open(): Promise<Opened> {
    const { agent, env, output, isOutputAsked, texts } = this.#parts;
    const [{ tools, opened }, { provider, model }] = await Promise.all([this.#tools(), this.#openModel()]);
    const instructions = renderInstructions(agent, { now: this.clock.now(), env });
    // A contract the caller asked for is not the agent's own: it is told after the first answer.
    const contract = isOutputAsked ? { format: 'text' as const } : output;
    return {
      provider,
      model,
      system: toSystemPrompt(instructions, [...tools.values()], contract, texts),
      tools: opened,
    };
  }

  async #callModel({ name, input }: ModelTask, scope: Scope): Promise<ModelResult> {
    const { middleware, place, run, output } = this.#parts;
    const attempts: ModelWork['attempts'] = [];
    const trace = traceOf(place, { turn: input.turn, index: 0 });
    // A JSON report is withheld until it is valid.
    const streaming = { attempt: () => attempts.length + 1, isTextWithheld: output.format === 'json' };
    let answering = await this.#openModel();
    const call = layer<ModelWork, ModelReply>(
      middleware.map(({ perform }) => perform?.model),
      async ({ model, request, signal }) => {
        // The last one asked is the one that is booked, whichever layer chose it.
        answering = model;
        return readReply(await model.call(request, { signal, ...this.#hints.deltas(input.turn, streaming) }), name);
      },
    );
    const named = () => ({ provider: answering.provider, model: answering.model, attempts });
    try {
      const work = {
        model: answering,
        request: input.request,
        signal: scope.signal,
        trace,
        ports: run.ports,
        attempts,
      };
      const reply = await call(work);
      return { ...named(), reply };
    } catch (error) {
      scope.throwIfAborted();
      return { ...named(), failure: toFailure(error, 'model-failed') };
    }
  }

  #runTool({ input, name }: ToolTask, scope: Scope): Promise<ToolResult> {
    const progress = (text: string) => this.#hints.write({ type: 'tool-progress', op: name, text }, toSubject(input));
    return this.#throughLayers({ input, operation: 'task' }, scope, async ({ call, signal, trace }) => {
      const tool = (await this.#find(input.tool)) as ToolDefinition;
      const context: ToolContext = { signal, trace, env: this.#parts.env, progress };
      return toToolResult(await tool.execute(call.args, context));
    });
  }

  /** The onion around the real work of a call, whichever operation performs it. */
  async #throughLayers(
    { input, operation }: { readonly input: ToolCall; readonly operation: ToolWork['operation'] },
    scope: Scope,
    innermost: (work: ToolWork) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const { middleware, place, run } = this.#parts;
    const call = layer(
      middleware.map(({ perform }) => perform?.tool),
      innermost,
    );
    try {
      return await call({
        call: input,
        operation,
        signal: scope.signal,
        trace: traceOf(place, toSubject(input)),
        ports: run.ports,
      });
    } catch (error) {
      scope.throwIfAborted();
      return thrownResult(error);
    }
  }

  async #find(name: string): Promise<Tool> {
    const tool = (await this.#tools()).tools.get(name);
    if (!tool)
      throw new AgentError('tool-unknown', `The tool ${name} was offered when the session opened, and is gone.`);
    return tool;
  }

  #tools(): Promise<Toolbox> {
    const { agent, tools, env } = this.#parts;
    this.#toolbox ??= openToolbox([...(agent.tools ?? []), ...tools], { env, signal: this.#opening.signal }).finally(
      () => {
        this.#isOpen = true;
      },
    );
    return this.#toolbox;
  }

  #openModel(): Promise<Model> {
    const { agent, env, run } = this.#parts;
    this.#model ??= resolveModel(agent, env, run.ports);
    return this.#model;
  }
}
