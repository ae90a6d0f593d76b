// One tree while it runs: what began in it, what it told, and what somebody outside does to it.

import type { Fact, Json, ModelRequest, ModelWork, Outcome, Question, SessionRun } from '@ai-agent/core';
import { isAgentError, type Middleware } from '@ai-agent/core';
import type { FakeClock } from '@ai-agent/core/testing';
import { AuditedBudget } from './audited-budget.ts';
import type { Crowd } from './crowd.ts';
import type { AnswerSpec, EventSpec, TreeSpec } from './spec.ts';
import { WatchedClock, WatchedWork } from './watches.ts';

/** What all trees of a world have in common. */
export interface Common {
  readonly clock: FakeClock;
  readonly crowd: Crowd;
  readonly problems: string[];
}

/** A request to a model, or the execution of a tool. */
export interface Start {
  readonly type: 'model' | 'tool';
  readonly sessionId: string;
  /** Session and operation. */
  readonly key: string;
}

export class Stage {
  readonly name: string;
  readonly spec: TreeSpec;
  readonly common: Common;
  readonly clock: WatchedClock;
  readonly work = new WatchedWork();
  readonly facts: Fact[] = [];
  readonly starts: Start[] = [];
  readonly controller = new AbortController();
  readonly budget: AuditedBudget;
  /** What was left when it had just ended. */
  readonly left: string[] = [];
  /** Sources of tools that were made and not closed. */
  sources = 0;
  run: SessionRun | undefined;
  outcome: Outcome | undefined;
  isOver = false;
  #isCancelled = false;
  #isStopped = false;
  #isLookedAt = false;
  #asked = 0;
  #steps = 0;
  #ends = 0;
  readonly #requests = new WeakMap<ModelRequest, ModelWork>();
  readonly #open = new Map<string, Question>();

  constructor(name: string, spec: TreeSpec, common: Common) {
    this.name = name;
    this.spec = spec;
    this.common = common;
    this.clock = new WatchedClock(common.clock);
    this.budget = new AuditedBudget(this.clock, {
      onProblem: (words) => this.problem(words),
      onStep: () => this.#happen('budget', ++this.#steps),
    });
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Innermost around every model call: what the request was reserved with. */
  get middleware(): readonly Middleware[] {
    const model: NonNullable<Middleware['perform']>['model'] = (work, next) => {
      this.#requests.set(work.request, work);
      return next(work);
    };
    return [{ name: 'watch', perform: { model } }];
  }

  workOf(request: ModelRequest): ModelWork {
    return this.#requests.get(request) as ModelWork;
  }

  /** Work begins; returns how to say that it ended. */
  begin(start: Start, signal: AbortSignal, isLastWord = false): () => void {
    if (this.#isCancelled) this.problem(`${start.key} began after the tree was cancelled`);
    if (this.#isStopped && !isLastWord) this.problem(`${start.key} began after the tree was stopped`);
    if (signal.aborted) this.problem(`${start.key} began though its signal is aborted`);
    if (this.isOver) this.problem(`${start.key} began after the end`);
    this.starts.push(start);
    const leave = this.common.crowd.enter(start.type, signal, (problem) => this.problem(problem));
    this.#happen('start', this.starts.length);
    return () => {
      leave();
      this.#happen('end', ++this.#ends);
    };
  }

  hear(fact: Fact): void {
    if (this.isOver) this.problem(`${fact.type} was told after the end`);
    this.facts.push(fact);
    if (fact.type === 'question-start') this.#open.set(fact.op + fact.trace.selfId, fact.question);
    if (fact.type === 'question-end') this.#open.delete(fact.op + fact.trace.selfId);
    this.#happen('fact', this.facts.length);
  }

  /** At once after the end: what is only waited for is left too. */
  look(): void {
    this.#isLookedAt = true;
    if (this.clock.timers > 0) this.left.push(`${this.clock.timers} timers`);
    if (this.budget.held > 0) this.left.push(`${this.budget.held} shares of the budget`);
    for (const [id, { held }] of this.work.scopes) if (held > 0) this.left.push(`${held} in the scope of ${id}`);
  }

  get isLookedAt(): boolean {
    return this.#isLookedAt;
  }

  problem(words: string): void {
    this.common.problems.push(`${this.name}: ${words}`);
  }

  act({ do: deed }: Pick<EventSpec, 'do'>): void {
    if (this.isOver || !this.run) return;
    if (deed === 'cancel') this.run.cancel();
    if (deed === 'signal' && this.spec.hasSignal) this.controller.abort();
    if (deed === 'stop') this.run.stop();
    if (deed === 'answer' || deed === 'answer wrong') this.#answerAll(deed === 'answer');
    this.#isCancelled ||= deed === 'cancel' || (deed === 'signal' && this.spec.hasSignal);
    this.#isStopped ||= deed === 'stop';
  }

  /** Nothing else can happen, because somebody is waited for: whether that was so. */
  release(): boolean {
    if (this.#open.size === 0) return false;
    this.act({ do: this.#isStopped && this.spec.last === 'stop' ? 'cancel' : this.spec.last });
    return true;
  }

  async answer(question: Question): Promise<unknown> {
    const { type, delayMs } = this.spec.answers[this.#asked++ % this.spec.answers.length] as AnswerSpec;
    if (type === 'late') await new Promise<void>((resolve) => this.common.clock.after(delayMs, resolve));
    if (type === 'never') return undefined;
    if (type === 'throws') throw new TypeError('nobody is there');
    return type === 'wrong' ? wrongAnswer(question) : rightAnswer(question);
  }

  #answerAll(isRight: boolean): void {
    for (const question of [...this.#open.values()])
      try {
        this.run?.answer(question.handle, isRight ? rightAnswer(question) : wrongAnswer(question));
      } catch (error) {
        const isExpected = isAgentError(error) && ['question-unknown', 'answer-invalid'].includes(error.code);
        if (!isExpected) this.problem(`an answer threw ${String(error)}`);
      }
  }

  #happen(at: EventSpec['at'], n: number): void {
    for (const event of this.spec.events) if (event.at === at && event.n === n) void this.#actIn(event.ticks, event);
  }

  async #actIn(ticks: number, event: EventSpec): Promise<void> {
    for (let tick = 0; tick < ticks; tick++) await undefined;
    this.act(event);
  }
}

export function rightAnswer({ type, choices, schema }: Question): Json {
  if (type === 'approval') return true;
  return schema ? 7 : (choices?.[0] ?? 'so it is');
}

function wrongAnswer({ type, choices, schema }: Question): Json {
  if (type === 'approval') return 'perhaps';
  return schema || choices ? 'neither' : '';
}
