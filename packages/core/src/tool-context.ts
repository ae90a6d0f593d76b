// What a tool sees of the world while it works: the same for every try of one call.

import { cancelled, Scope } from './abort.ts';
import { settingsOf, toModelRefs } from './agent.ts';
import type { AgentError } from './errors.ts';
import { type HintWriter, toSubject } from './hints.ts';
import { Inside } from './inside.ts';
import type { Json } from './json.ts';
import type { ToolWork } from './middleware.ts';
import type { ToolTask } from './operation.ts';
import type { Question } from './question.ts';
import type { Run } from './run.ts';
import { checkSchema } from './schema.ts';
import type { Setting } from './setting.ts';
import { StillTime } from './still-time.ts';
import { oneLine } from './text.ts';
import type { ToolContext, ToolQuestion, WorkingCaller } from './tool.ts';
import { type ToolResult, thrownResult } from './tool-result.ts';

interface ContextParts extends Setting {
  readonly run: Run;
}

export class CallContexts {
  readonly #parts: ContextParts;
  readonly #hints: HintWriter;
  readonly #task: ToolTask;
  #asked = 0;
  #isOver = false;
  #open: Set<Scope> | undefined;
  #inside: Inside | undefined;
  #stillTime: StillTime | undefined;

  constructor(parts: ContextParts, hints: HintWriter, task: ToolTask) {
    this.#parts = parts;
    this.#hints = hints;
    this.#task = task;
  }

  /** The call is over: so are its questions, and the sessions that were run during the work, which the result tells of. */
  end(result: ToolResult): ToolResult | Promise<ToolResult> {
    this.#isOver = true;
    for (const question of this.#open ?? []) question.abort(cancelled(over));
    const waitedMs = this.#stillTime?.ms ?? 0;
    const waited = waitedMs > 0 ? { ...result, waitedMs } : result;
    const told = this.#asked > 0 ? { ...waited, wasAsked: true } : waited;
    return this.#inside ? this.#inside.end(told) : told;
  }

  /** Rejects; but a call that was stopped, and not its session, still has to tell what its sessions did and how long it waited. */
  async callOff(reason: AgentError, session: Scope): Promise<ToolResult> {
    const result = this.#parts.run.secrets.keep(thrownResult(reason));
    const ended = await this.end(result);
    if (ended === result || session.isAborted) throw reason;
    return ended;
  }

  toContext(work: ToolWork): ToolContext {
    const { env, limits, run } = this.#parts;
    const { scope, trace } = work;
    let caller: WorkingCaller | undefined;
    const toCaller = () => this.#toCaller(work);
    return {
      // Made when it is asked for: most tools do not.
      get signal() {
        return scope.signal;
      },
      trace,
      env,
      maxOutputBytes: limits.maxToolOutputBytes,
      progress: (text) => this.#tell(text),
      readOutput: async (handle) => run.ports.outputs.get(run.originId, handle),
      ask: (question) => handled(this.#ask(question, work)),
      get caller() {
        caller ??= toCaller();
        return caller;
      },
    };
  }

  #toCaller({ scope }: ToolWork): WorkingCaller {
    const { run, place, inherited, agent, limits, texts } = this.#parts;
    this.#inside ??= new Inside({ run, place, call: this.#task.input, stillTime: this.#time() });
    const below = this.#inside.scopeBelow(scope);
    const its = {
      models: toModelRefs(agent),
      settings: settingsOf(agent),
      toolOutput: agent.toolOutput,
      limits,
      texts,
    };
    return { run, place, scope: below, inherited, inside: this.#inside, ...its };
  }

  #tell(text: string): void {
    const { name, input } = this.#task;
    this.#hints.write({ type: 'tool-progress', op: name, text }, toSubject(input));
  }

  async #ask({ text, choices, schema }: ToolQuestion, { scope }: ToolWork): Promise<Json | undefined> {
    const { run, place } = this.#parts;
    if (schema) checkSchema(schema, `schema of the question "${oneLine(text)}"`);
    if (!run.isAttended) return undefined;
    this.#asked++;
    const message = `${this.#task.name}.ask.${this.#asked}`;
    const question: Question = {
      type: 'question',
      text,
      ...(choices ? { choices } : {}),
      ...(schema ? { schema } : {}),
      to: 'person',
      handle: `${place.id}/${message}`,
      agentName: place.ancestry.at(-1) ?? '',
      sessionId: place.id,
    };
    const own = this.#openQuestion(scope);
    this.#tell(`asks: ${oneLine(text)}`);
    const goOn = own.stand();
    const comeBack = own.stepAside();
    try {
      return await run.receive(place.id, message, own, question).finally(comeBack);
    } finally {
      goOn();
      own.close();
      this.#open?.delete(own);
    }
  }

  #time(): StillTime {
    this.#stillTime ??= new StillTime(this.#parts.run.ports.clock);
    return this.#stillTime;
  }

  /** Closed when the call is over, whoever still waits for the answer. */
  #openQuestion(scope: Scope): Scope {
    scope.throwIfAborted();
    if (this.#isOver) throw cancelled(over);
    const own = new Scope(scope);
    own.countedBy(this.#time());
    this.#open ??= new Set();
    this.#open.add(own);
    return own;
  }
}

const over = 'The call that asks is over.';

/** Whoever does not wait for an answer does not hear that there is none. */
function handled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
