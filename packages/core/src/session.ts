// A session: one run of one agent, isolated and single-use. Opens it, walks the loop, and ends it with an outcome.

import { cancelled, Scope, stopped } from './abort.ts';
import { type Agent, settingsOf } from './agent.ts';
import { inputFailure } from './agent-input.ts';
import { checkConfig } from './check-config.ts';
import { takeCourse } from './course.ts';
import type { Ending } from './ending.ts';
import { AgentError, type Failure, isCancellation, toFailure } from './errors.ts';
import { EventStream } from './event-stream.ts';
import { FactWriter } from './facts.ts';
import { isObject, type JsonObject } from './json.ts';
import { forgetPaused, keepPaused } from './keep-paused.ts';
import { Lease } from './lease.ts';
import type { Message } from './message.ts';
import { openAccount, raiseAccount } from './open-account.ts';
import { continuedFields, type Opening, toOpening } from './opening.ts';
import type { Opened, Resumption, Runtime } from './operation.ts';
import { type Outcome, toOutcome } from './outcome.ts';
import { Performer } from './performer.ts';
import { isOwnAnswer } from './place.ts';
import { plantRun } from './plant-run.ts';
import type { Run } from './run.ts';
import { inProcess } from './runtime/in-process.ts';
import type { AIAgentSessionConfig, MakeSession, SessionCall, SessionRun } from './session-config.ts';
import { toSetting } from './session-setting.ts';
import type { Setting } from './setting.ts';
import { showEnding } from './show-ending.ts';
import { SessionState } from './state.ts';
import { bytesPerTokenOf } from './tokens.ts';
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
    const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt);
    const resume = below?.resume ?? (handle === undefined ? undefined : { handle, answer: prompt, isPersons: true });
    const live = new LiveSession(this.config, { prompt: text, below, resume });
    this.#isUsed = true;
    return live.start();
  }
}

const make: MakeSession = (config) => new AIAgentSession(config);

interface Asked {
  readonly prompt: string;
  readonly below: SessionCall | undefined;
  readonly resume: Resumption | undefined;
}

/** The session while it runs. */
class LiveSession {
  readonly #asked: Asked;
  readonly #setting: Setting;
  readonly #run: Run;
  readonly #scope: Scope;
  readonly #facts: FactWriter;
  readonly #lease: Lease;
  readonly #unlisten: (() => void) | undefined;
  readonly #opening: Opening;
  #messages: readonly Message[];
  #stream: EventStream | undefined;
  #startedAt: number | undefined;

  constructor(config: AIAgentSessionConfig, asked: Asked) {
    const { below, prompt, resume } = asked;
    this.#asked = asked;
    this.#opening = toOpening(config, prompt);
    this.#messages = resume ? (config.history ?? []) : this.#opening.messages;
    const endsOn = isOwnAnswer(below?.partner?.role) ? 'last-word' : 'nothing';
    this.#scope = new Scope(below?.caller.scope ?? (() => this.#run.ports.clock.now()), endsOn);
    this.#run = below?.caller.run ?? plantRun({ ...config, runtime: config.runtime ?? inProcess, scope: this.#scope });
    this.#setting = toSetting(config, this.#run, below);
    if (config.signal) this.#scope.follow(config.signal);
    this.#facts = new FactWriter(this.#run, this.#setting.place);
    const { tools = [] } = config;
    const parts = { setting: this.#setting, run: this.#run, scope: this.#scope };
    this.#lease = new Lease({ ...parts, make, tools, pool: below?.pool });
    this.#unlisten = this.#run.listenBelow(this.#setting.place.id, config);
    this.#run.enter(this.#setting.place.id, this.#scope);
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
      stopBelow: (sessionId) => run.stopBelow(id, sessionId),
      raise: (budget) => raiseAccount(run, this.#setting, budget),
      cancel: (reason = 'The run was cancelled.') => this.#scope.abort(cancelled(reason)),
      answer: (handle, answer) => run.answer(handle, answer),
      send: (sessionId, name, message) => run.send(sessionId, name, message),
    };
  }

  async #walk(): Promise<Outcome> {
    // Whoever listens after run() has returned hears everything.
    await Promise.resolve();
    const run = this.#run;
    const scope = this.#scope;
    const opening = () => this.#messages;
    const performer = new Performer({ ...this.#setting, run, scope, opening, prepared: this.#lease.prepared });
    let state: SessionState | undefined;
    let ending: Ending;
    let usage: Totals | undefined;
    try {
      scope.throwIfAborted();
      const opened = await this.#open(run.runtime(performer));
      if (opened instanceof SessionState) state = opened;
      ending = state
        ? await takeCourse(state, { run, opening, ask })
        : { status: 'failed', failure: opened as Failure, text: '' };
      usage = state?.usage;
      const args = this.#asked.below?.call.args ?? {};
      if (state && 'resume' in ending) await scope.race(keepPaused(run, state, ending, args));
    } catch (error) {
      ending = this.#endingOf(error, state);
    }
    await this.#lease.end({ isClean: ending.status !== 'cancelled' });
    return this.#end(ending, usage);
  }

  /** The first operation records what cannot be computed again; from there on the session is its state. */
  async #open(runtime: Runtime): Promise<SessionState | Failure> {
    const { agent, place, budget } = this.#setting;
    const { resume, below: { partner: asked } = {} } = this.#asked;
    const { request, isAgain } = this.#opening;
    const input = { agent: agent.name, ...(resume ? { resume } : {}), ...(isAgain ? { isAgain } : {}) };
    const opening = await runtime.do({ type: 'task', task: 'open', name: 'open', input });
    const opened = opening.ok ? opening.value : undefined;
    if (opened?.resumed) this.#messages = opened.resumed.messages;
    if (resume && opened) forgetPaused(this.#run, resume.handle);
    this.#facts.advance(opening.startedAt);
    this.#tellStart(opened);
    this.#facts.advance(opening.endedAt);
    if (!opening.ok) return opening.failure;
    const failure = resume || isAgain ? undefined : inputFailure(agent, request.text);
    if (failure) return failure;
    const { promptTokens, resumed, models } = opening.value;
    // Who goes on after a question has said what led to it, since it was asked.
    const ownFrom = resumed ? (resumed.request?.at ?? 0) : this.#messages.length;
    const bytesPerToken = bytesPerTokenOf(models);
    const transcript = new Transcript(this.#messages, { promptTokens, ownFrom, bytesPerToken });
    const account = { place, budget, scope: this.#scope, opened: opening.value, contextTokens: transcript.tokens };
    openAccount(this.#run, account);
    const settings = settingsOf(agent);
    return new SessionState({
      ...this.#setting,
      settings,
      runtime,
      facts: this.#facts,
      transcript,
      opened: opening.value,
      request: resumed?.request ?? { ...request, ...asked?.request },
    });
  }

  #tellStart(opened: Opened | undefined): void {
    this.#startedAt = this.#facts.now;
    const { place, result: output } = this.#setting;
    const { depth, callerOp, title, partner } = place;
    const known = {
      system: opened?.system ?? '',
      tools: opened?.tools.flatMap(({ name, isOffered }) => (isOffered ? [name] : [])) ?? [],
    };
    const { path: agentPath } = this.#setting.agent;
    const more = { ...(partner ? { partner } : {}), ...(agentPath === undefined ? {} : { agentPath }) };
    const fields = { depth, callerOp, title, messages: this.#messages, output, ...more };
    const continued = continuedFields(this.#opening, opened, this.#asked.resume?.handle);
    this.#facts.write({ type: 'session-start', op: 'open', ...fields, ...known, ...continued });
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
      this.#run.leave(id);
      this.#scope.close();
      this.#unlisten?.();
      this.#stream?.end();
    }
    return toOutcome(
      // What goes up the tree is for a model; what leaves it is for whoever looks on.
      this.#asked.below ? ending : showEnding(this.#run.secrets, ending),
      { sessionId: id, format: this.#setting.result.format, usage, startedAt, endedAt },
      records,
    );
  }
}
