// One run: the tree of sessions that a prompt planted, and what they share.

import { cancelled, Scope, stopped } from './abort.ts';
import { AgentError, isAgentError, messageOf } from './errors.ts';
import type { AgentEvent } from './events.ts';
import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import { isBelow } from './place.ts';
import { Pool, type Poolable } from './pool.ts';
import type { RunPorts } from './ports.ts';
import { type Question, readAnswer } from './question.ts';
import { Records } from './records.ts';
import type { RuntimeFactory } from './runtime.ts';
import { Secrets } from './secrets.ts';

export interface RunOptions {
  readonly originId: string;
  readonly ports: RunPorts;
  readonly runtime: RuntimeFactory;
  /** Lives as long as the tree. */
  readonly scope: Scope;
  /** Whoever answers questions while the tree runs; without one, a question ends the session that asks. */
  readonly onQuestion?: OnQuestion | undefined;
}

/**
 * Gives the answer, now or later; with nothing, somebody answers by the question's handle. Whoever throws `question-left` has gone
 * away: the question stays open, and the session ends with it.
 */
export type OnQuestion = (question: Question) => unknown;

export type Listener = (event: AgentEvent) => unknown;
type Heard = (event: never) => unknown;

const withoutAnswer = 'Do without the answer, and say what is missing.';

export class Run {
  readonly originId: string;
  readonly ports: RunPorts;
  readonly runtime: RuntimeFactory;
  readonly scope: Scope;
  readonly records = new Records();
  readonly secrets = new Secrets();
  /** Keyed by `provider/model`: tokens that a provider counted for one that was estimated, from the first replies of sessions. */
  readonly tokenFactors = new Map<string, number>();
  readonly #inbox = new Inbox();
  /** Of the sessions that run here, by their ids. */
  readonly #scopes = new Map<string, Scope>();
  readonly #onQuestion: OnQuestion | undefined;
  #listeners: Map<Listener, { readonly hints: boolean }> | undefined;
  #questions: Map<string, Question> | undefined;
  #pools: Map<unknown, Pool<Poolable>> | undefined;
  #held: Map<Promise<unknown>, string> | undefined;
  #hintListeners = 0;

  constructor({ originId, ports, runtime, scope, onQuestion }: RunOptions) {
    this.originId = originId;
    this.ports = ports;
    this.runtime = runtime;
    this.scope = scope;
    this.#onQuestion = onQuestion;
  }

  /** Whether anybody would hear a hint; models stream only then. */
  get wantsHints(): boolean {
    return this.#hintListeners > 0;
  }

  /** Whether somebody is there to answer while the tree runs. */
  get isAttended(): boolean {
    return this.#onQuestion !== undefined;
  }

  /** Hears all facts of the tree, and its hints if asked. Returns how to stop listening. */
  listen(listener: Listener, options: { readonly hints: boolean }): () => void {
    this.#listeners ??= new Map();
    this.#listeners.set(listener, options);
    if (options.hints) this.#hintListeners++;
    return () => {
      if (this.#listeners?.delete(listener) && options.hints) this.#hintListeners--;
    };
  }

  /** The same for one session and those below it. */
  listenBelow(id: string, { onEvent, onFact }: { onEvent?: Heard; onFact?: Heard }): (() => void) | undefined {
    if (!onEvent && !onFact) return undefined;
    const own = (listener: Heard) => (event: AgentEvent) =>
      isBelow(event.trace.selfId, id) ? listener(event as never) : undefined;
    const unlisten = [
      ...(onEvent ? [this.listen(own(onEvent), { hints: true })] : []),
      ...(onFact ? [this.listen(own(onFact), { hints: false })] : []),
    ];
    return () => {
      for (const stop of unlisten) stop();
    };
  }

  /** The one door to whoever looks on: nothing passes it that must not be shown. */
  emit(told: AgentEvent): void {
    const event = this.secrets.showEvent(told);
    if (event.kind === 'fact') {
      if (!this.records.add(event)) return;
      this.ports.budget.add(event);
    }
    if (!this.#listeners) return;
    for (const [listener, { hints }] of this.#listeners) {
      if (event.kind === 'hint' && !hints) continue;
      // Watching must not hurt what is watched: a listener that throws, at once or later, has only lost this event.
      try {
        const result = listener(event);
        if (result instanceof Promise) result.catch(() => {});
      } catch {}
    }
  }

  /** A session runs, until it leaves. */
  enter(sessionId: string, scope: Scope): void {
    this.#scopes.set(sessionId, scope);
  }

  leave(sessionId: string): void {
    this.#scopes.delete(sessionId);
  }

  /** Stops one session below another, as a limit of its own. Whether such a one runs. */
  stopBelow(ancestor: string, sessionId: string): boolean {
    const scope = sessionId !== ancestor && isBelow(sessionId, ancestor) ? this.#scopes.get(sessionId) : undefined;
    scope?.halt(stopped('stop'));
    return scope !== undefined;
  }

  /** Waits for a message; a question is shown to whoever answers. */
  async receive(sessionId: string, name: string, scope: Scope, question?: Question): Promise<Json> {
    if (!question) return this.#inbox.receive(sessionId, name, scope);
    const own = new Scope(scope);
    this.#questions ??= new Map();
    this.#questions.set(question.handle, question);
    try {
      return await Promise.race([this.#inbox.receive(sessionId, name, own), this.#show(question)]);
    } finally {
      this.#questions.delete(question.handle);
      own.abort(cancelled('The question is closed.'));
      own.close();
    }
  }

  send(sessionId: string, name: string, message: Json): void {
    this.#inbox.send(sessionId, name, message);
  }

  /** Throws `question-unknown` or `answer-invalid`; the question then stays open. */
  answer(handle: string, answer: Json): void {
    const question = this.#questions?.get(handle);
    if (!question) throw new AgentError('question-unknown', `No question "${handle}" is open in this run.`);
    const value = this.#read(question, answer);
    this.#questions?.delete(handle);
    this.send(question.sessionId, handle.slice(question.sessionId.length + 1), value);
  }

  #read(question: Question, answer: Json): Json {
    try {
      return readAnswer(question, answer);
    } catch (error) {
      throw this.secrets.showError(error);
    }
  }

  /** Work of a session that may outlive its operation: the session is not over before it is. */
  hold<T>(sessionId: string, work: Promise<T>): Promise<T> {
    this.#held ??= new Map();
    const held = this.#held.set(work, sessionId);
    const release = () => held.delete(work);
    work.then(release, release);
    return work;
  }

  /** What is still held of a session; nothing mostly. */
  held(sessionId: string): Promise<unknown> | undefined {
    if (!this.#held?.size) return undefined;
    return Promise.allSettled([...this.#held].flatMap(([work, id]) => (id === sessionId ? [work] : [])));
  }

  /** The pool that belongs to a tool in this tree. */
  poolOf(tool: unknown, size: number): Pool<Poolable> {
    this.#pools ??= new Map();
    const pool = this.#pools.get(tool) ?? new Pool(size);
    this.#pools.set(tool, pool);
    return pool;
  }

  async close(): Promise<void> {
    await Promise.allSettled([...(this.#pools?.values() ?? [])].map((pool) => pool.close()));
  }

  async #ask(question: Question): Promise<unknown> {
    if (!this.#onQuestion) throw new AgentError('tool-failed', 'Nobody is there to answer.', { remedy: withoutAnswer });
    try {
      return await this.#onQuestion(this.secrets.show(question));
    } catch (error) {
      if (isAgentError(error) && error.code === 'question-left') throw error;
      throw new AgentError('tool-failed', `Nobody could be asked: ${messageOf(error)}`, {
        cause: error,
        remedy: withoutAnswer,
      });
    }
  }

  /** Settles only when whoever is there to answer cannot: a wrong answer is asked for again, a few times. */
  async #show(question: Question): Promise<never> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#ask(question);
      // Meanwhile somebody else has answered, or nobody waits any more.
      if (!this.#questions?.has(question.handle)) return await new Promise<never>(() => {});
      try {
        if (answer !== undefined) this.answer(question.handle, answer as Json);
        return await new Promise<never>(() => {});
      } catch (error) {
        if (tries === 3)
          throw new AgentError('tool-failed', `Nobody gave an answer that fits: ${messageOf(error)}`, {
            cause: error,
            remedy: withoutAnswer,
          });
      }
    }
  }
}
