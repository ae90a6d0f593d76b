// A wrapper for tests: holds the loop to the rules of the seam, so that a mistake shows without a durable engine.

import { AgentError, isCancellation } from '../errors.ts';
import { childSessionId, type Operation, type ResultOf, type Runtime, type Settled } from '../operation.ts';
import type { RuntimeFactory } from '../runtime.ts';

export interface StrictOptions {
  /** Resolves once the platform has run everything that was already due: more than promises, less than time. */
  readonly nextTick?: () => Promise<void>;
  /** Operations of earlier runs, by session and name; a replay that asks for something else under a name is refused. */
  readonly history?: Map<string, string>;
}

/** Broken rules are seam-broken errors: they end the session as a bug, whose message names the rule. */
export function strict(inner: RuntimeFactory, options: StrictOptions = {}): RuntimeFactory {
  return (workplace) => {
    const performed = inner(workplace);
    const rules = new Rules(workplace.sessionId, options);
    const runtime: Runtime = {
      async do<O extends Operation>(operation: O) {
        const [settled] = await handOver([operation], () => performed.do(operation).then((value) => [value]));
        return settled as Settled<ResultOf<O>>;
      },
      all<O extends Operation>(operations: readonly O[], { limit }: { readonly limit: number }) {
        if (!Number.isInteger(limit) || limit < 1) rules.break(`all needs a limit from 1, not ${limit}`);
        return handOver(operations, () => performed.all(operations, { limit }));
      },
    };
    const handOver = async <O extends Operation>(
      operations: readonly O[],
      perform: () => Promise<readonly Settled<ResultOf<O>>[]>,
    ) => {
      rules.begin(operations);
      try {
        const settled = await perform();
        return settled.map((value, i) => rules.check(operations[i] as O, value));
      } catch (error) {
        if (isCancellation(error)) throw rules.cancel(error);
        return rules.break(`everything settles to a value; only cancellation throws, not ${String(error)}`);
      } finally {
        rules.end();
      }
    };
    return runtime;
  };
}

class Rules {
  readonly #sessionId: string;
  readonly #options: StrictOptions;
  readonly #names = new Set<string>();
  /** What was handed over, as it was then: arguments may not change afterwards. */
  #underWay: readonly { readonly operation: Operation; readonly text: string }[] = [];
  #isBusy = false;
  #isLate = false;
  #isCancelled = false;

  constructor(sessionId: string, options: StrictOptions) {
    this.#sessionId = sessionId;
    this.#options = options;
  }

  begin(operations: readonly Operation[]): void {
    if (this.#isCancelled) this.break('nothing is handed over after a cancellation was thrown');
    if (this.#isBusy) this.break('one do or all at a time; a branch that needs several steps is a session of its own');
    if (this.#isLate) this.break('a session waits for nothing but its operations');
    if (this.#names.size === 0 && operations[0]?.name !== 'open')
      this.break('the first operation is open, which records what cannot be computed again');
    this.#isBusy = true;
    this.#underWay = operations.map((operation) => ({ operation, text: this.#admit(operation) }));
  }

  /** The settled value as a copy that cannot be changed: what crossed the seam is data. */
  check<O extends Operation>(operation: O, settled: Settled<ResultOf<O>>): Settled<ResultOf<O>> {
    const given = this.#underWay.find((entry) => entry.operation === operation);
    if (given && JSON.stringify(operation) !== given.text)
      this.break(`the arguments of ${operation.name} changed after they were handed over`);
    const problem = notPlain(settled, operation.name);
    if (problem) this.break(`a result is plain JSON; ${problem}`);
    if (operation.type === 'task' && operation.task === 'model') this.#checkDelta(operation, settled);
    return freeze(structuredCopy(settled));
  }

  cancel(error: unknown): unknown {
    this.#isCancelled = true;
    return error;
  }

  end(): void {
    this.#isBusy = false;
    this.#isLate = false;
    // The next operation must be handed over before the platform gets to anything else.
    const names = this.#names.size;
    void this.#options.nextTick?.().then(() => {
      if (!this.#isBusy && this.#names.size === names) this.#isLate = true;
    });
  }

  break(rule: string): never {
    throw new AgentError('seam-broken', `Session ${this.#sessionId} broke a rule of the seam: ${rule}.`);
  }

  #admit(operation: Operation): string {
    const { name } = operation;
    if (!/^(open|(turn\.\d+\.)?[a-z]+(\.\d+)?)$/.test(name))
      this.break(`names are ordinals, stable on replay; "${name}" is not`);
    if (this.#names.has(name)) this.break(`names are unique in a session; "${name}" was there before`);
    this.#names.add(name);
    const problem = notPlain(operation, name);
    if (problem) this.break(`an operation is plain JSON; ${problem}`);
    if (operation.type === 'session' && operation.sessionId !== childSessionId(this.#sessionId, operation.input)) {
      this.break(`the id of a session below derives from its operation; "${operation.sessionId}" does not`);
    }
    const text = JSON.stringify(operation);
    const key = `${this.#sessionId}/${name}`;
    const before = this.#options.history?.get(key);
    if (before !== undefined && before !== text)
      this.break(`a replay hands over the same; ${name} is another operation than before`);
    this.#options.history?.set(key, text);
    return text;
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

function structuredCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const entry of Object.values(value)) freeze(entry);
  return Object.freeze(value);
}
