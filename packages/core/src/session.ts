// A session: one run of one agent, isolated and single-use. Opens it, walks the loop, and ends it with an outcome.

import { cancelled, cutOff, Scope, stopped } from './abort.ts';
import { type Agent, checkAgent, limitsOf, settingsOf } from './agent.ts';
import { inputFailure } from './agent-input.ts';
import { type Budget, checkBudget, narrower } from './budget.ts';
import { builtInMiddleware, builtInTools } from './built-in.ts';
import { defaultBudget } from './defaults.ts';
import type { Ending } from './ending.ts';
import { AgentError, type Failure, isCancellation, toFailure } from './errors.ts';
import { EventStream } from './event-stream.ts';
import type { AgentEvent } from './events.ts';
import { FactWriter } from './facts.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { loop } from './loop.ts';
import { type Message, userMessage } from './message.ts';
import type { OutputContract } from './model.ts';
import type { Opened, Runtime, ToolCall } from './operation.ts';
import { type Outcome, toOutcome } from './outcome.ts';
import type { Paused } from './pauses.ts';
import { Performer } from './performer.ts';
import { isBelow, type Place, placeAtRoot, placeBelow } from './place.ts';
import type { Pool, Poolable } from './pool.ts';
import { Prepared } from './prepared.ts';
import { plantRun, type Run } from './run.ts';
import { inProcess } from './runtime/in-process.ts';
import { checkSchema } from './schema.ts';
import type { AIAgentSessionConfig, SessionRun } from './session-config.ts';
import { type SessionParts, SessionState } from './state.ts';
import { defaultTexts } from './texts.ts';
import type { Caller, Inherited } from './tool.ts';
import type { Totals } from './totals.ts';
import { Transcript } from './transcript.ts';

/** Sugar: one prompt to one agent, and its outcome. */
export async function ask(
  agent: Agent,
  prompt: string | JsonObject,
  options: Omit<AIAgentSessionConfig, 'agent'> = {},
): Promise<Outcome> {
  return new AIAgentSession({ ...options, agent }).run(prompt).outcome;
}

/** The call that a session below its caller answers. */
export interface SessionCall {
  readonly call: ToolCall;
  readonly caller: Caller;
  /** Tools and models that were prepared before, and may serve again. */
  readonly pool?: Pool<Poolable>;
  /** Narrows what the session may use. */
  readonly budget?: Budget;
  /** The question that the call answers: the session that asked it is gone on with. */
  readonly resume?: Resumption;
}

interface Resumption {
  readonly handle: string;
  readonly answer: Json;
}

export class AIAgentSession {
  readonly config: AIAgentSessionConfig;
  #isUsed = false;

  constructor(config: AIAgentSessionConfig) {
    checkAgent(config.agent);
    checkBudget(`the session of ${config.agent.name}`, config.budget);
    if (config.output?.schema) checkSchema(config.output.schema, 'The output schema asked for');
    this.config = config;
  }

  /** Without a call, plants a tree; with one, grows a branch of the caller's. With `resume`, the prompt is the answer. */
  run(prompt: string | JsonObject, below?: SessionCall): SessionRun {
    const { agent, resume: handle } = this.config;
    if (this.#isUsed) throw new AgentError('session-used', `This session of ${agent.name} has run already.`);
    if (typeof prompt !== 'string' && !isObject(prompt)) {
      throw new AgentError('session-input-invalid', `The prompt of ${agent.name} must be text or a JSON object.`);
    }
    this.#isUsed = true;
    const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt);
    const resume = below?.resume ?? (handle === undefined ? undefined : { handle, answer: prompt });
    return new LiveSession(this.config, { prompt: text, below, resume }).start();
  }
}

interface Asked {
  readonly prompt: string;
  readonly below: SessionCall | undefined;
  readonly resume: Resumption | undefined;
}

/** The session while it runs. */
class LiveSession {
  readonly #config: AIAgentSessionConfig;
  readonly #asked: Asked;
  readonly #budget: Budget;
  readonly #output: OutputContract;
  readonly #inherited: Inherited;
  readonly #run: Run;
  readonly #place: Place;
  readonly #scope: Scope;
  readonly #facts: FactWriter;
  readonly #prepared: Prepared;
  #messages: readonly Message[];
  #stream: EventStream | undefined;
  #unlisten: (() => void) | undefined;

  constructor(config: AIAgentSessionConfig, asked: Asked) {
    const { agent, signal, texts, middleware = [] } = config;
    const { below } = asked;
    const caller = below?.caller;
    this.#config = config;
    this.#asked = asked;
    this.#messages = [...(config.history ?? []), ...(asked.resume ? [] : [userMessage(asked.prompt)])];
    this.#output = config.output ?? agent.output ?? { format: 'text' };
    this.#budget = {
      ...(below ? {} : defaultBudget),
      ...narrower(narrower(agent.budget, config.budget), below?.budget),
    };
    this.#inherited = {
      middleware: [...(caller?.inherited.middleware ?? []), ...middleware],
      texts: { ...caller?.inherited.texts, ...texts },
      isMoneyCounted: this.#budget.costUsd !== undefined || caller?.inherited.isMoneyCounted === true,
    };
    const { clock } = caller?.run.ports ?? config.ports ?? {};
    this.#scope = new Scope(caller?.scope ?? (() => clock?.now() ?? 0));
    this.#run = caller?.run ?? plantRun({ ...config, runtime: config.runtime ?? inProcess, scope: this.#scope });
    this.#place = below
      ? placeBelow(agent.name, below.caller.place, below.call, agent.limits?.maxDepth)
      : placeAtRoot(agent.name, this.#run.originId, limitsOf(agent).maxDepth);
    if (signal) this.#scope.follow(signal);
    this.#facts = new FactWriter(this.#run, this.#place);
    // A pool belongs to one tool, whose sessions prepare alike.
    this.#prepared = below?.pool
      ? (below.pool.acquire(() => this.#prepare(this.#run.scope)) as Prepared)
      : this.#prepare(this.#scope);
    this.#listen(config);
  }

  #prepare(scope: Scope): Prepared {
    const { agent, tools = [] } = this.#config;
    const offers = [...(agent.tools ?? []), ...tools, ...builtInTools(agent)];
    return new Prepared({ agent, env: this.#env, tools: offers, ports: this.#run.ports, scope });
  }

  get #env() {
    return Object.freeze({ ...this.#config.envOverlay });
  }

  #listen({ onEvent, onFact }: AIAgentSessionConfig): void {
    if (!onEvent && !onFact) return;
    const { id } = this.#place;
    const own = (listener: (event: never) => unknown) => (event: AgentEvent) => {
      return isBelow(event.trace.selfId, id) ? listener(event as never) : undefined;
    };
    const unlisten = [
      ...(onEvent ? [this.#run.listen(own(onEvent), { hints: true })] : []),
      ...(onFact ? [this.#run.listen(own(onFact), { hints: false })] : []),
    ];
    this.#unlisten = () => {
      for (const stop of unlisten) stop();
    };
  }

  start(): SessionRun {
    const run = this.#run;
    const stream = new EventStream(run, this.#place.id);
    this.#stream = stream;
    return {
      sessionId: this.#place.id,
      events: stream,
      outcome: this.#walk(),
      stop: (limit = 'stop') => this.#scope.halt(stopped(limit)),
      cancel: (reason = 'The run was cancelled.') => this.#scope.abort(cancelled(reason)),
      answer: (handle, answer) => run.answer(handle, answer),
      send: (sessionId, name, message) => run.send(sessionId, name, message),
    };
  }

  async #walk(): Promise<Outcome> {
    // Whoever listens after run() has returned hears everything.
    await Promise.resolve();
    const setting = this.#setting();
    const performer = new Performer({
      ...setting,
      run: this.#run,
      scope: this.#scope,
      env: this.#env,
      prepared: this.#prepared,
      inherited: this.#inherited,
    });
    let state: SessionState | undefined;
    let ending: Ending;
    let usage: Totals | undefined;
    try {
      this.#scope.throwIfAborted();
      const opened = await this.#open(setting, this.#run.runtime(performer));
      if (opened instanceof SessionState) state = opened;
      ending = state ? await loop(state) : { status: 'failed', failure: opened as Failure, text: '' };
      usage = state?.usage;
      if (state?.paused && ending.status === 'needs_user_input') await this.#keep(state, ending.question);
    } catch (error) {
      ending = this.#endingOf(error, state);
    }
    // A source that does not close must not keep a cancelled run waiting.
    await this.#scope.race(this.#close(ending)).catch(() => {});
    return this.#end(ending, usage);
  }

  /** The first operation records what cannot be computed again; from there on the session is its state. */
  async #open(setting: Setting, runtime: Runtime): Promise<SessionState | Failure> {
    const { agent } = this.#config;
    const { prompt, resume } = this.#asked;
    const input = {
      agent: agent.name,
      ...(resume ? { resume: { handle: resume.handle, answer: resume.answer } } : {}),
    };
    const opening = await runtime.do({ type: 'task', task: 'open', name: 'open', input });
    if (opening.ok && opening.value.resumed) this.#messages = opening.value.resumed.messages;
    this.#facts.advance(opening.startedAt);
    this.#tellStart(opening.ok ? opening.value : undefined);
    this.#facts.advance(opening.endedAt);
    if (!opening.ok) return opening.failure;
    const failure = resume ? undefined : inputFailure(agent, prompt);
    if (failure) return failure;
    const { resumed, promptTokens } = opening.value;
    const transcript = new Transcript(this.#messages, promptTokens);
    this.#account(opening.value, transcript.tokens);
    return new SessionState({
      ...setting,
      settings: settingsOf(agent),
      runtime,
      facts: this.#facts,
      transcript,
      opened: opening.value,
      ...(resumed ? { resumed } : {}),
    });
  }

  #account({ models, resumed }: Opened, contextTokens: number): void {
    const { id: sessionId, parentId } = this.#place;
    const { price } = models[0] ?? {};
    this.#run.ports.budget.open({
      sessionId,
      parentId,
      budget: this.#budget,
      contextTokens,
      ...(resumed ? { spent: resumed.spent } : {}),
      ...(price ? { price } : {}),
      halt: (limit, { isFinal }) => this.#scope.halt(isFinal ? cutOff({ limit }) : stopped(limit)),
    });
  }

  #setting(): Setting {
    const { agent, output } = this.#config;
    return {
      agent,
      place: this.#place,
      limits: limitsOf(agent),
      output: this.#output,
      isOutputAsked: output?.format === 'json' && agent.output?.format !== 'json',
      isAttended: this.#run.isAttended,
      texts: { ...defaultTexts, ...this.#inherited.texts, ...agent.texts },
      middleware: [...builtInMiddleware, ...this.#inherited.middleware, ...(agent.middleware ?? [])],
    };
  }

  /** Everything that is needed to go on when somebody answers. */
  async #keep({ paused: pending, parts: { transcript } }: SessionState, question: Paused['question']): Promise<void> {
    if (!pending) return;
    const { ports } = this.#run;
    const { id } = this.#place;
    await ports.pauses.put(id, {
      question,
      agentName: this.#config.agent.name,
      args: this.#asked.below?.call.args ?? {},
      messages: transcript.view(),
      pending,
      spent: ports.budget.spentBy(id),
    });
  }

  async #close({ status }: Ending): Promise<void> {
    const pool = this.#asked.below?.pool;
    if (pool) await pool.release(this.#prepared, { isClean: status !== 'cancelled' });
    else await this.#prepared.close();
    if (!this.#asked.below) await this.#run.close();
  }

  #tellStart(opened: Opened | undefined): void {
    const { depth, callerOp, title } = this.#place;
    const known = {
      system: opened?.system ?? '',
      tools: opened?.tools.flatMap(({ name, isOffered }) => (isOffered ? [name] : [])) ?? [],
    };
    this.#facts.write({
      type: 'session-start',
      op: 'open',
      depth,
      callerOp,
      title,
      messages: this.#messages,
      output: this.#output,
      ...known,
    });
  }

  /** The one place where a run that broke becomes an ending. */
  #endingOf(error: unknown, state: SessionState | undefined): Ending {
    const text = state?.parts.transcript.lastText() ?? '';
    this.#facts.advance(this.#scope.abortedAt ?? 0);
    return { status: isCancellation(error) ? 'cancelled' : 'failed', failure: toFailure(error), text };
  }

  /** A session that broke off has not added up what it was doing; its facts have it all. */
  #end(ending: Ending, added: Totals | undefined): Outcome {
    const { records } = this.#run;
    const { id } = this.#place;
    if (!records.tree.session(id)) this.#tellStart(undefined);
    const endedAt = this.#facts.now;
    const startedAt = records.tree.session(id)?.startedAt ?? endedAt;
    const usage = added ?? records.ledger.usageOf(id, endedAt);
    try {
      this.#facts.write({ type: 'session-end', op: 'end', startedAt, endedAt, ending, usage });
    } finally {
      this.#run.ports.budget.close(id);
      this.#scope.close();
      this.#unlisten?.();
      this.#stream?.end();
    }
    return toOutcome(ending, { sessionId: id, format: this.#output.format, usage, startedAt, endedAt }, records);
  }
}

/** What the deciding and the working side of a session both know. */
type Setting = Pick<
  SessionParts,
  'agent' | 'place' | 'limits' | 'output' | 'isOutputAsked' | 'isAttended' | 'texts' | 'middleware'
>;
