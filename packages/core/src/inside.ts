// Sessions that a tool runs during its work: numbered within their call, counted with it, and over when it is.

import { cancelled, Scope } from './abort.ts';
import type { AgentKey } from './agent-key.ts';
import { AgentError, isCancellation } from './errors.ts';
import { type JsonObject, toJson } from './json.ts';
import { exhausted } from './middleware/budget.ts';
import { misplacedBelow } from './middleware/nesting.ts';
import type { ToolCall } from './operation.ts';
import { childSessionId, type Place } from './place.ts';
import type { Run } from './run.ts';
import type { StillTime } from './still-time.ts';
import { toolOutputName } from './tool-names.ts';
import type { InsideResult, ToolResult } from './tool-result.ts';
import { addTotals, noTotals, type Totals } from './totals.ts';

export interface InsideParts {
  readonly run: Run;
  /** Where the session stands that calls. */
  readonly place: Place;
  readonly call: ToolCall;
  /** Of the call. */
  readonly stillTime: StillTime;
}

export class Inside {
  readonly call: ToolCall;
  readonly #run: Run;
  readonly #place: Place;
  readonly #stillTime: StillTime;
  readonly #running = new Set<Promise<unknown>>();
  readonly #scopes: Scope[] = [];
  #admitted = 0;
  #isOver = false;
  #usage = noTotals;

  constructor({ run, place, call, stillTime }: InsideParts) {
    this.call = call;
    this.#run = run;
    this.#place = place;
    this.#stillTime = stillTime;
  }

  /** Below the work of one try of the call: layers may try it again. */
  scopeBelow(work: Scope): Scope {
    const scope = new ScopeInside(work);
    scope.countedBy(this.#stillTime);
    this.#scopes.push(scope);
    return scope;
  }

  /**
   * Whatever becomes of the work that starts it, the session that calls does not end before this one. Meanwhile the call waits,
   * and holds nothing that others want.
   */
  runs<T>(scope: Scope, start: () => Promise<T>): Promise<T> {
    const comeBack = scope.stepAside();
    const session = this.#run.hold(this.#place.id, start());
    this.#running.add(session);
    return comeBack ? handled(session.finally(comeBack)) : session;
  }

  /** The call as the next session has it. Throws when the tree may not have that one. */
  admit({ name, id }: AgentKey, args: JsonObject): ToolCall {
    const { turn, index, instance } = this.call;
    if (this.#isOver)
      throw new AgentError('tool-failed', `The call of ${instance} is over: no session of ${name} begins in it.`);
    // Who reads a long result is no sub-agent: it has none below it, and is never a level too many.
    const deepest = name === toolOutputName ? this.#place.depth + 1 : this.#place.deepest;
    const misplaced = misplacedBelow({ ...this.#place, deepest }, { name, id });
    if (misplaced) throw misplaced;
    // On the account of the call: one key for all that it takes.
    const key = `${this.#place.id}/turn.${turn}.tool.${index}`;
    const limit = this.#run.ports.budget.take(this.#place.id, key, ['descendants']);
    if (limit !== undefined) throw exhausted(limit);
    this.#admitted++;
    const number = this.#admitted === 1 ? '' : `[${this.#admitted}]`;
    const { answered: _answered, ...call } = this.call;
    return { ...call, args, inside: this.#admitted, instance: `${instance}/${name}${number}`, title: null };
  }

  add(usage: Totals): void {
    this.#usage = addTotals(this.#usage, usage);
  }

  /** The call is over, and so is whatever it left behind. The result says what they did. */
  async end(result: ToolResult): Promise<ToolResult> {
    this.#isOver = true;
    for (const scope of this.#scopes) {
      scope.abort(cancelled('The call that ran this session is over.'));
      scope.close();
    }
    await Promise.allSettled(this.#running);
    return this.#admitted === 0 ? result : { ...result, inside: this.#toResult() };
  }

  #toResult(): InsideResult {
    const facts = this.#run.records.factsOf(childSessionId(this.#place.id, this.call));
    return { sessions: this.#admitted, usage: this.#usage, facts: facts.map(toJson) };
  }
}

/** Why a call ends, a limit or its time, is its own reason: for a session inside it is simply called off. */
class ScopeInside extends Scope {
  override abort(reason: AgentError, at?: number): void {
    super.abort(isCancellation(reason) ? reason : cancelled(reason.message, reason), at);
  }
}

/** Whoever does not wait for a session does not hear that it was called off. */
function handled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
