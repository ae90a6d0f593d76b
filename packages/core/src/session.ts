// A session: one run of one agent, isolated and single-use. Opens it, walks the loop, and ends it with an outcome.

import { cancelled, Scope, stopped } from './abort.ts';
import { type Agent, settingsOf } from './agent.ts';
import { inputFailure } from './agent-input.ts';
import type { Budget } from './budget.ts';
import { builtInTools } from './built-in.ts';
import { checkConfig } from './check-config.ts';
import { closeTimeoutMs } from './defaults.ts';
import type { Ending, NeedsUserInput } from './ending.ts';
import { AgentError, type Failure, isCancellation, toFailure } from './errors.ts';
import { EventStream } from './event-stream.ts';
import { FactWriter } from './facts.ts';
import { inTime } from './in-time.ts';
import { isObject, type JsonObject } from './json.ts';
import { loop } from './loop.ts';
import { type Message, userMessage } from './message.ts';
import { openAccount } from './open-account.ts';
import type { Opened, Resumption, Runtime, ToolCall } from './operation.ts';
import { type Outcome, toOutcome } from './outcome.ts';
import { Performer } from './performer.ts';
import { plantRun } from './plant-run.ts';
import type { Pool, Poolable } from './pool.ts';
import { Prepared } from './prepared.ts';
import type { Run } from './run.ts';
import { inProcess } from './runtime/in-process.ts';
import type { AIAgentSessionConfig, SessionRun } from './session-config.ts';
import { toSetting } from './session-setting.ts';
import type { Setting } from './setting.ts';
import { SessionState } from './state.ts';
import type { Caller } from './tool.ts';
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

export class AIAgentSession {
  readonly config: AIAgentSessionConfig;
  #isUsed = false;

  constructor(config: AIAgentSessionConfig) {
    checkConfig(config);
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
    const resume = below?.resume ?? (handle === undefined ? undefined : { handle, answer: prompt, isPersons: true });
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
  readonly #setting: Setting;
  readonly #run: Run;
  readonly #scope: Scope;
  readonly #facts: FactWriter;
  readonly #prepared: Prepared;
  readonly #unlisten: (() => void) | undefined;
  #messages: readonly Message[];
  #stream: EventStream | undefined;
  #startedAt: number | undefined;

  constructor(config: AIAgentSessionConfig, asked: Asked) {
    const { below, prompt, resume } = asked;
    const { clock } = below?.caller.run.ports ?? config.ports ?? {};
    this.#config = config;
    this.#asked = asked;
    this.#messages = [...(config.history ?? []), ...(resume ? [] : [userMessage(prompt)])];
    this.#scope = new Scope(below?.caller.scope ?? (() => clock?.now() ?? 0));
    this.#run = below?.caller.run ?? plantRun({ ...config, runtime: config.runtime ?? inProcess, scope: this.#scope });
    this.#setting = toSetting(config, this.#run, below);
    if (config.signal) this.#scope.follow(config.signal);
    this.#facts = new FactWriter(this.#run, this.#setting.place);
    this.#prepared = this.#prepare();
    this.#unlisten = this.#run.listenBelow(this.#setting.place.id, config);
  }

  #prepare(): Prepared {
    const { agent, env } = this.#setting;
    const tools = [...(agent.tools ?? []), ...(this.#config.tools ?? []), ...builtInTools(agent)];
    const make = (scope: Scope) => new Prepared({ agent, env, tools, ports: this.#run.ports, scope });
    const pool = this.#asked.below?.pool;
    // A pool belongs to one tool, whose sessions prepare alike.
    return pool ? (pool.acquire(() => make(this.#run.scope)) as Prepared) : make(this.#scope);
  }

  start(): SessionRun {
    const run = this.#run;
    const { id } = this.#setting.place;
    this.#stream = new EventStream(run, id);
    return {
      sessionId: id,
      events: this.#stream,
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
    const [run, scope, prepared] = [this.#run, this.#scope, this.#prepared];
    const performer = new Performer({ ...this.#setting, run, scope, prepared });
    let state: SessionState | undefined;
    let ending: Ending;
    let usage: Totals | undefined;
    try {
      scope.throwIfAborted();
      const opened = await this.#open(run.runtime(performer));
      if (opened instanceof SessionState) state = opened;
      ending = state ? await loop(state) : { status: 'failed', failure: opened as Failure, text: '' };
      usage = state?.usage;
      if (state && ending.status === 'needs_user_input') await scope.race(this.#keep(state, ending));
    } catch (error) {
      ending = this.#endingOf(error, state);
    }
    await this.#closeInTime(ending);
    return this.#end(ending, usage);
  }

  /** The first operation records what cannot be computed again; from there on the session is its state. */
  async #open(runtime: Runtime): Promise<SessionState | Failure> {
    const { agent, place, budget } = this.#setting;
    const { prompt, resume } = this.#asked;
    const input = { agent: agent.name, ...(resume ? { resume } : {}) };
    const opening = await runtime.do({ type: 'task', task: 'open', name: 'open', input });
    const opened = opening.ok ? opening.value : undefined;
    if (opened?.resumed) this.#messages = opened.resumed.messages;
    if (resume && opened) this.#forget(resume.handle);
    this.#facts.advance(opening.startedAt);
    this.#tellStart(opened);
    this.#facts.advance(opening.endedAt);
    if (!opening.ok) return opening.failure;
    const failure = resume ? undefined : inputFailure(agent, prompt);
    if (failure) return failure;
    const { promptTokens, resumed } = opening.value;
    // Who goes on after a question has said what led to it.
    const ownFrom = resumed ? 0 : this.#messages.length;
    const transcript = new Transcript(this.#messages, { promptTokens, ownFrom });
    openAccount(this.#run, {
      place,
      budget,
      scope: this.#scope,
      opened: opening.value,
      contextTokens: transcript.tokens,
    });
    const settings = settingsOf(agent);
    return new SessionState({
      ...this.#setting,
      settings,
      runtime,
      facts: this.#facts,
      transcript,
      opened: opening.value,
    });
  }

  #tellStart(opened: Opened | undefined): void {
    this.#startedAt = this.#facts.now;
    const { place, output } = this.#setting;
    const { depth, callerOp, title } = place;
    const known = {
      system: opened?.system ?? '',
      tools: opened?.tools.flatMap(({ name, isOffered }) => (isOffered ? [name] : [])) ?? [],
    };
    const fields = { depth, callerOp, title, messages: this.#messages, output };
    this.#facts.write({ type: 'session-start', op: 'open', ...fields, ...known });
  }

  /** Everything that is needed to go on when somebody answers. */
  async #keep({ paused, parts: { transcript } }: SessionState, { resume, question }: NeedsUserInput): Promise<void> {
    const { ports } = this.#run;
    const args = this.#asked.below?.call.args ?? {};
    const spent = ports.budget.spentBy(resume);
    const agentName = this.#setting.agent.name;
    if (paused)
      await ports.pauses.put(resume, {
        question,
        agentName,
        args,
        messages: transcript.view(),
        pending: paused,
        spent,
      });
  }

  /** On a replay the session that asked was kept again; it is answered all the same. */
  #forget(handle: string): void {
    (async () => this.#run.ports.pauses.delete(handle))().catch(() => {});
  }

  /** A source that does not close keeps nobody waiting for what is done. */
  async #closeInTime(ending: Ending): Promise<void> {
    const { clock } = this.#run.ports;
    const closing = this.#close(ending);
    if (!this.#prepared.hasSources && this.#asked.below) return closing;
    const late = () => cancelled('The tools were not closed in time.');
    await inTime({ clock, durationMs: closeTimeoutMs, scope: this.#scope, late }, () => closing).catch(() => {});
  }

  async #close({ status }: Ending): Promise<void> {
    const { below } = this.#asked;
    if (below?.pool) await below.pool.release(this.#prepared, { isClean: status !== 'cancelled' });
    else await this.#prepared.close();
    if (!below) await this.#run.close();
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
    const { id } = this.#setting.place;
    if (this.#startedAt === undefined) this.#tellStart(undefined);
    const endedAt = this.#facts.now;
    const startedAt = this.#startedAt ?? endedAt;
    const usage = added ?? records.ledger.usageOf(id, endedAt);
    try {
      this.#facts.write({ type: 'session-end', op: 'end', startedAt, endedAt, ending, usage });
    } finally {
      this.#run.ports.budget.close(id);
      this.#scope.close();
      this.#unlisten?.();
      this.#stream?.end();
    }
    return toOutcome(
      ending,
      { sessionId: id, format: this.#setting.output.format, usage, startedAt, endedAt },
      records,
    );
  }
}
