// A session: one run of one agent, isolated and single-use. Opens it, walks the loop, and ends it with an outcome.

import { cancelled, Scope } from './abort.ts';
import { type Agent, checkAgent, limitsOf, settingsOf } from './agent.ts';
import { inputFailure } from './agent-input.ts';
import type { Ending } from './ending.ts';
import { AgentError, type Failure, isCancellation, toFailure } from './errors.ts';
import { EventStream } from './event-stream.ts';
import type { AgentEvent } from './events.ts';
import { FactWriter } from './facts.ts';
import { isObject, type JsonObject } from './json.ts';
import { loop } from './loop.ts';
import { type Message, userMessage } from './message.ts';
import { callLimit } from './middleware/call-limit.ts';
import { finalAnswer } from './middleware/final-answer.ts';
import { turnLimit } from './middleware/turn-limit.ts';
import { validateArguments } from './middleware/validate-arguments.ts';
import type { Middleware } from './middleware.ts';
import type { OutputContract } from './model.ts';
import type { Opened, Runtime, ToolCall } from './operation.ts';
import { type Outcome, toOutcome } from './outcome.ts';
import { Performer } from './performer.ts';
import { isBelow, type Place, placeAtRoot, placeBelow } from './place.ts';
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
}

export class AIAgentSession {
  readonly config: AIAgentSessionConfig;
  #isUsed = false;

  constructor(config: AIAgentSessionConfig) {
    checkAgent(config.agent);
    if (config.output?.schema) checkSchema(config.output.schema, 'The output schema asked for');
    this.config = config;
  }

  /** Without a call, plants a tree; with one, grows a branch of the caller's. */
  run(prompt: string | JsonObject, below?: SessionCall): SessionRun {
    if (this.#isUsed)
      throw new AgentError('session-used', `This session of ${this.config.agent.name} has run already.`);
    if (typeof prompt !== 'string' && !isObject(prompt)) {
      throw new AgentError(
        'session-input-invalid',
        `The prompt of ${this.config.agent.name} must be text or a JSON object.`,
      );
    }
    this.#isUsed = true;
    return new LiveSession(this.config, typeof prompt === 'string' ? prompt : JSON.stringify(prompt), below).start();
  }
}

/** The session while it runs. */
class LiveSession {
  readonly #config: AIAgentSessionConfig;
  readonly #prompt: string;
  readonly #messages: readonly Message[];
  readonly #output: OutputContract;
  readonly #inherited: Inherited;
  readonly #run: Run;
  readonly #place: Place;
  readonly #scope: Scope;
  readonly #stream: EventStream;
  readonly #facts: FactWriter;
  readonly #unlisten: () => void;

  constructor(config: AIAgentSessionConfig, prompt: string, below: SessionCall | undefined) {
    const { agent, signal, texts, middleware = [] } = config;
    const caller = below?.caller;
    this.#config = config;
    this.#prompt = prompt;
    this.#messages = [...(config.history ?? []), userMessage(prompt)];
    this.#output = config.output ?? agent.output ?? { format: 'text' };
    this.#inherited = {
      middleware: [...(caller?.inherited.middleware ?? []), ...middleware],
      texts: { ...caller?.inherited.texts, ...texts },
    };
    this.#run = caller?.run ?? plantRun({ ...config, runtime: config.runtime ?? inProcess });
    const { clock } = this.#run.ports;
    this.#place = below
      ? placeBelow(agent.name, below.caller.place, below.call)
      : placeAtRoot(agent.name, this.#run.originId);
    this.#scope = new Scope(caller?.scope ?? (() => clock.now()));
    if (signal) this.#scope.follow(signal);
    this.#unlisten = this.#listen(config);
    this.#stream = new EventStream(this.#run, this.#place.id);
    this.#facts = new FactWriter(this.#run, this.#place);
  }

  #listen({ onEvent, onFact }: AIAgentSessionConfig): () => void {
    const { id } = this.#place;
    const own = (listener: (event: never) => unknown) => (event: AgentEvent) => {
      return isBelow(event.trace.selfId, id) ? listener(event as never) : undefined;
    };
    const unlisten = [
      ...(onEvent ? [this.#run.listen(own(onEvent), { hints: true })] : []),
      ...(onFact ? [this.#run.listen(own(onFact), { hints: false })] : []),
    ];
    return () => {
      for (const stop of unlisten) stop();
    };
  }

  start(): SessionRun {
    return {
      sessionId: this.#place.id,
      events: this.#stream,
      outcome: this.#walk(),
      cancel: (reason = 'The run was cancelled.') => this.#scope.abort(cancelled(reason)),
      send: (sessionId, name, message) => this.#run.inbox.send(sessionId, name, message),
    };
  }

  async #walk(): Promise<Outcome> {
    // Whoever listens after run() has returned hears everything.
    await Promise.resolve();
    const setting = this.#setting();
    const { envOverlay, tools = [] } = this.#config;
    const env = Object.freeze({ ...envOverlay });
    const performer = new Performer({
      ...setting,
      run: this.#run,
      scope: this.#scope,
      env,
      tools,
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
    } catch (error) {
      ending = this.#endingOf(error, state);
    }
    // A source that does not close must not keep a cancelled run waiting.
    await this.#scope.race(performer.close()).catch(() => {});
    return this.#end(ending, usage);
  }

  /** The first operation records what cannot be computed again; from there on the session is its state. */
  async #open(setting: Setting, runtime: Runtime): Promise<SessionState | Failure> {
    const { agent } = this.#config;
    const opening = await runtime.do({ type: 'task', task: 'open', name: 'open', input: { agent: agent.name } });
    this.#facts.advance(opening.startedAt);
    this.#tellStart(opening.ok ? opening.value : undefined);
    this.#facts.advance(opening.endedAt);
    if (!opening.ok) return opening.failure;
    const failure = inputFailure(agent, this.#prompt);
    if (failure) return failure;
    const settings = settingsOf(agent);
    const transcript = new Transcript(this.#messages);
    return new SessionState({
      ...setting,
      limits: limitsOf(agent),
      settings,
      runtime,
      facts: this.#facts,
      transcript,
      opened: opening.value,
    });
  }

  #setting(): Setting {
    const { agent, output } = this.#config;
    return {
      agent,
      place: this.#place,
      output: this.#output,
      isOutputAsked: output?.format === 'json' && agent.output?.format !== 'json',
      texts: { ...defaultTexts, ...this.#inherited.texts, ...agent.texts },
      middleware: [...builtIn, ...this.#inherited.middleware, ...(agent.middleware ?? [])],
    };
  }

  #tellStart(opened: Opened | undefined): void {
    const { depth, callerOp, title } = this.#place;
    const known = { system: opened?.system ?? '', tools: opened?.tools.map((tool) => tool.name) ?? [] };
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
      this.#scope.close();
      this.#unlisten();
      this.#stream.end();
    }
    return toOutcome(ending, { sessionId: id, format: this.#output.format, usage, startedAt, endedAt }, records);
  }
}

/** What the deciding and the working side of a session both know. */
type Setting = Pick<SessionParts, 'agent' | 'place' | 'output' | 'isOutputAsked' | 'texts' | 'middleware'>;

/** In every session. What only an embedder wants comes after these, and sees what they let pass. */
const builtIn: readonly Middleware[] = [turnLimit, callLimit, validateArguments, finalAnswer];
