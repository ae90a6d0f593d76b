// What a tool sees of the world while it works: the same for every try of one call.

import { toModelRefs } from './agent.ts';
import { type HintWriter, toSubject } from './hints.ts';
import { Inside } from './inside.ts';
import type { Json } from './json.ts';
import type { ToolWork } from './middleware.ts';
import type { ToolTask } from './operation.ts';
import type { Run } from './run.ts';
import type { Setting } from './setting.ts';
import type { ToolContext, ToolQuestion, WorkingCaller } from './tool.ts';

interface ContextParts extends Setting {
  readonly run: Run;
}

export class CallContexts {
  readonly #parts: ContextParts;
  readonly #hints: HintWriter;
  readonly #task: ToolTask;
  #asked = 0;
  #inside: Inside | undefined;

  constructor(parts: ContextParts, hints: HintWriter, task: ToolTask) {
    this.#parts = parts;
    this.#hints = hints;
    this.#task = task;
  }

  /** The sessions that were run during the work; mostly none. */
  get inside(): Inside | undefined {
    return this.#inside;
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
      ask: (question) => this.#ask(question, work),
      get caller() {
        caller ??= toCaller();
        return caller;
      },
    };
  }

  #toCaller({ scope }: ToolWork): WorkingCaller {
    const { run, place, inherited, agent } = this.#parts;
    this.#inside ??= new Inside({ run, place, call: this.#task.input });
    const below = this.#inside.scopeBelow(scope);
    return { run, place, scope: below, inherited, inside: this.#inside, models: toModelRefs(agent) };
  }

  #tell(text: string): void {
    const { name, input } = this.#task;
    this.#hints.write({ type: 'tool-progress', op: name, text }, toSubject(input));
  }

  async #ask(asked: ToolQuestion, { scope }: ToolWork): Promise<Json | undefined> {
    const { run, place } = this.#parts;
    if (!run.isAttended) return undefined;
    this.#asked++;
    const message = `${this.#task.name}.ask.${this.#asked}`;
    const agentName = place.ancestry.at(-1) ?? '';
    const question = { ...asked, type: 'question', to: 'person', agentName, sessionId: place.id } as const;
    return run.receive(place.id, message, scope, { ...question, handle: `${place.id}/${message}` });
  }
}
