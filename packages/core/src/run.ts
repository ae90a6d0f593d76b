// One run: the tree of sessions that a prompt planted, and what they share.

import { cancelled, Scope } from './abort.ts';
import { TreeBudget } from './budget/tree-budget.ts';
import { AgentError, messageOf } from './errors.ts';
import type { AgentEvent } from './events.ts';
import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import { MemoryOutputs } from './outputs.ts';
import { MemoryPauses } from './pauses.ts';
import { isBelow } from './place.ts';
import { Pool, type Poolable } from './pool.ts';
import type { Ports, RunPorts } from './ports.ts';
import { type Question, readAnswer } from './question.ts';
import { Records } from './records.ts';
import type { RuntimeFactory } from './runtime.ts';

export interface RunOptions {
  readonly originId: string;
  readonly ports: Ports;
  readonly runtime: RuntimeFactory;
  /** Lives as long as the tree. */
  readonly scope: Scope;
  /** Whoever answers questions while the tree runs; without one, a question ends the session that asks. */
  readonly onQuestion?: OnQuestion | undefined;
}

/** Gives the answer, now or later; with nothing, somebody answers by the question's handle. */
export type OnQuestion = (question: Question) => unknown;

export type Listener = (event: AgentEvent) => unknown;
type Heard = (event: never) => unknown;

export class Run {
  readonly originId: string;
  readonly ports: RunPorts;
  readonly runtime: RuntimeFactory;
  readonly scope: Scope;
  readonly records = new Records();
  readonly #inbox = new Inbox();
  readonly #onQuestion: OnQuestion | undefined;
  readonly #listeners = new Map<Listener, { hints: boolean }>();
  #questions: Map<string, Question> | undefined;
  #pools: Map<unknown, Pool<Poolable>> | undefined;
  #hintListeners = 0;

  constructor({ originId, ports, runtime, scope, onQuestion }: RunOptions) {
    this.originId = originId;
    this.ports = {
      ...ports,
      budget: ports.budget ?? new TreeBudget(ports.clock),
      outputs: ports.outputs ?? new MemoryOutputs(),
      pauses: ports.pauses ?? new MemoryPauses(),
    };
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
    this.#listeners.set(listener, options);
    if (options.hints) this.#hintListeners++;
    return () => {
      if (this.#listeners.delete(listener) && options.hints) this.#hintListeners--;
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

  emit(event: AgentEvent): void {
    if (event.kind === 'fact') {
      if (!this.records.add(event)) return;
      this.ports.budget.add(event);
    }
    for (const [listener, { hints }] of this.#listeners) {
      if (event.kind === 'hint' && !hints) continue;
      // Watching must not hurt what is watched: a listener that throws, at once or later, has only lost this event.
      try {
        const result = listener(event);
        if (result instanceof Promise) result.catch(() => {});
      } catch {}
    }
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
    const value = readAnswer(question, answer);
    this.#questions?.delete(handle);
    this.send(question.sessionId, handle.slice(question.sessionId.length + 1), value);
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

  /** Settles only when whoever is there to answer cannot: a wrong answer is asked for again, a few times. */
  async #show(question: Question): Promise<never> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#ask(question);
      try {
        if (answer !== undefined) this.answer(question.handle, answer as Json);
        return await new Promise<never>(() => {});
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
  }

  async #ask(question: Question): Promise<unknown> {
    try {
      return await this.#onQuestion?.(question);
    } catch (error) {
      const remedy = 'See to it that onQuestion gives an answer, or nothing.';
      const message = `Whoever was asked "${question.text}" could not answer: ${messageOf(error)}.`;
      throw new AgentError('answer-invalid', message, { remedy, cause: error });
    }
  }
}

interface Planting {
  readonly ports?: Ports | undefined;
  readonly runtime: RuntimeFactory;
  readonly sessionId?: string | undefined;
  readonly scope: Scope;
  readonly onQuestion?: OnQuestion | undefined;
}

/** A new tree for a session at its root. */
export function plantRun({ ports, runtime, sessionId, scope, onQuestion }: Planting): Run {
  if (!ports) throw new AgentError('port-missing', 'A session at the root needs ports: a clock and ids.');
  const originId = sessionId ?? ports.ids.next();
  if (!/^[\w-]{1,128}$/.test(originId)) {
    throw new AgentError(
      'session-input-invalid',
      `The session id ${JSON.stringify(originId)} must be 1 to 128 letters, digits, dashes or underscores.`,
    );
  }
  return new Run({ originId, ports, runtime, scope, onQuestion });
}
