// A wrapper for tests: holds the loop to the rules of the seam, so that a mistake shows without a durable engine.

import { AgentError, isAgentError, isCancellation } from '../errors.ts';
import type { ListOptions, OnSettled, Operation, ResultOf, Runtime, Settled } from '../operation.ts';
import { childSessionId } from '../place.ts';
import type { RuntimeFactory } from '../runtime.ts';

export interface StrictOptions {
  /** Resolves once the platform has run everything that was already due: more than promises, less than time. */
  readonly nextTick?: () => Promise<void>;
  /** What sessions of an earlier run handed over, by session and in order; a replay has to begin the same way. */
  readonly history?: Map<string, string[]>;
}

/** Broken rules are seam-broken errors: they end the session as a bug, whose message names the rule. */
export function strict(inner: RuntimeFactory, options: StrictOptions = {}): RuntimeFactory {
  return (workplace) => {
    const performed = inner(workplace);
    const rules = new Rules(workplace.sessionId, options);
    const handOver = async <O extends Operation>(
      operations: readonly O[],
      onSettled: OnSettled<O> | undefined,
      perform: (copies: readonly O[], settleOnce: OnSettled<O>) => Promise<readonly Settled<ResultOf<O>>[]>,
    ) => {
      rules.begin(operations);
      const results = new Map<number, Settled<ResultOf<O>>>();
      let loopError: unknown;
      const settleOnce: OnSettled<O> = (settled, i) => {
        const operation = operations[i] as O;
        if (results.has(i)) rules.break(`an operation settles once; ${operation.name} settled twice`);
        const checked = rules.check(operation, settled);
        results.set(i, checked);
        try {
          onSettled?.(checked, i);
        } catch (error) {
          loopError ??= error;
          throw error;
        }
      };
      try {
        // The work gets copies: it may change its arguments, the loop may not.
        await perform(copy(operations), settleOnce);
        return operations.map(
          (operation, i) => results.get(i) ?? rules.break(`every operation has its result; ${operation.name} has none`),
        );
      } catch (error) {
        throw loopError !== undefined && error === loopError ? error : rules.sort(error);
      } finally {
        rules.end();
      }
    };
    const runtime: Runtime = {
      async do<O extends Operation>(operation: O, onSettled?: OnSettled<O>) {
        const [settled] = await handOver([operation], onSettled, async ([only], settleOnce) => [
          await performed.do(only as O, settleOnce),
        ]);
        return settled as Settled<ResultOf<O>>;
      },
      async all<O extends Operation>(operations: readonly O[], { limit, onSettled }: ListOptions<O>) {
        if (!Number.isInteger(limit) || limit < 1) rules.break(`all needs a limit from 1, not ${limit}`);
        return handOver(operations, onSettled, (copies, settleOnce) =>
          performed.all(copies, { limit, onSettled: settleOnce }),
        );
      },
    };
    return runtime;
  };
}

class Rules {
  readonly #sessionId: string;
  readonly #options: StrictOptions;
  readonly #names = new Set<string>();
  #handOvers = 0;
  #isBusy = false;
  #isLate = false;
  #isCancelled = false;
  #broken: AgentError | undefined;

  constructor(sessionId: string, options: StrictOptions) {
    this.#sessionId = sessionId;
    this.#options = options;
  }

  begin(operations: readonly Operation[]): void {
    // A loop that swallows a broken rule gets no further.
    if (this.#broken) throw this.#broken;
    if (this.#isCancelled) this.break('nothing is handed over after a cancellation was thrown');
    if (this.#isBusy) this.break('one do or all at a time; a branch that needs several steps is a session of its own');
    if (this.#isLate) this.break('a session waits for nothing but its operations');
    if (this.#handOvers === 0 && operations[0]?.name !== 'open')
      this.break('the first operation is open, which records what cannot be computed again');
    for (const operation of operations) this.#admit(operation);
    this.#compare(JSON.stringify(operations));
    freeze(operations);
    this.#isBusy = true;
    this.#handOvers++;
  }

  /** The settled value as a copy that cannot be changed: what crossed the seam is data. */
  check<O extends Operation>(operation: O, settled: Settled<ResultOf<O>>): Settled<ResultOf<O>> {
    const problem = notPlain(settled, operation.name);
    if (problem) this.break(`a result is plain JSON; ${problem}`);
    if (!(settled.startedAt <= settled.endedAt))
      this.break(`a result says when its work began and ended; that of ${operation.name} does not`);
    if (operation.type === 'task' && operation.task === 'model') this.#checkDelta(operation, settled);
    return freeze(copy(settled));
  }

  /** What a runtime may throw, and what the loop did wrong. */
  sort(error: unknown): unknown {
    if (error === this.#broken) return error;
    // A journal of another run says so itself.
    if (isAgentError(error) && error.code === 'journal-mismatch') return error;
    if (!isCancellation(error))
      return this.break(`everything settles to a value; only cancellation throws, not ${String(error)}`);
    this.#isCancelled = true;
    return error;
  }

  end(): void {
    this.#isBusy = false;
    // The next operation must be handed over before the platform gets to anything else.
    const { nextTick } = this.#options;
    const count = this.#handOvers;
    void nextTick?.().then(() => {
      if (!this.#isBusy && this.#handOvers === count) this.#isLate = true;
    });
  }

  break(rule: string): never {
    this.#broken ??= new AgentError('seam-broken', `Session ${this.#sessionId} broke a rule of the seam: ${rule}.`);
    throw this.#broken;
  }

  #admit(operation: Operation): void {
    const { name } = operation;
    if (!/^(open|(turn\.\d{1,6}\.)?[a-z]+(\.\d{1,6})?)$/.test(name))
      this.break(`names are ordinals, stable on replay; "${name}" is not`);
    if (this.#names.has(name)) this.break(`names are unique in a session; "${name}" was there before`);
    this.#names.add(name);
    const problem = notPlain(operation, name);
    if (problem) this.break(`an operation is plain JSON; ${problem}`);
    if (operation.type === 'session' && operation.sessionId !== childSessionId(this.#sessionId, operation.input)) {
      this.break(`the id of a session below derives from its operation; "${operation.sessionId}" does not`);
    }
  }

  #compare(text: string): void {
    const { history } = this.#options;
    const before = history?.get(this.#sessionId) ?? [];
    const earlier = before[this.#handOvers];
    if (earlier !== undefined && earlier !== text)
      this.break(`a replay hands over the same; step ${this.#handOvers + 1} was ${earlier} and is ${text}`);
    if (earlier === undefined) history?.set(this.#sessionId, [...before, text]);
  }

  #checkDelta(operation: Extract<Operation, { task: 'model' }>, settled: Settled<unknown>): void {
    const [first] = operation.input.request.messages;
    if (first && JSON.stringify(settled).includes(JSON.stringify(first))) {
      this.break(`a result is a delta; that of ${operation.name} repeats the history`);
    }
  }
}

/** The first thing JSON cannot say, by its path. */
function notPlain(value: unknown, path: string): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (typeof value !== 'object') return `${path} is of type ${typeof value}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null)
    return `${path} is an instance of a class`;
  for (const [key, entry] of Object.entries(value)) {
    const problem = notPlain(entry, `${path}.${key}`);
    if (problem) return problem;
  }
  return undefined;
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** All the way down; what is frozen already is frozen below too. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const entry of Object.values(value)) freeze(entry);
  return Object.freeze(value);
}
