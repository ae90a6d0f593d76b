// What a session works with: its tools and its models, opened when first needed. A pool may hand it to one session after another.

import { cancelled, Scope } from './abort.ts';
import type { Agent } from './agent.ts';
import { toModelRefs } from './agent.ts';
import type { Model } from './model.ts';
import { resolveModel } from './open-agent.ts';
import type { EnvOverlay, Ports } from './ports.ts';
import type { ToolOffer } from './tool.ts';
import { openToolbox, type Toolbox } from './toolbox.ts';

export interface PreparedParts {
  readonly agent: Agent;
  readonly env: EnvOverlay;
  readonly tools: readonly ToolOffer[];
  readonly ports: Ports;
  /** Whoever this lives as long as. */
  readonly scope: Scope;
}

export class Prepared {
  readonly #parts: PreparedParts;
  #toolbox: Promise<Toolbox> | undefined;
  #models: (Promise<Model> | undefined)[] | undefined;
  #opening: Scope | undefined;
  #opened: Toolbox | undefined;

  constructor(parts: PreparedParts) {
    this.#parts = parts;
  }

  /** Whether the next session may have it: everything that was asked for is there. */
  get isUsable(): boolean {
    return this.#opened !== undefined;
  }

  /** The tools, once they are there. */
  get toolbox(): Toolbox | undefined {
    return this.#opened;
  }

  tools(): Promise<Toolbox> {
    if (this.#toolbox) return this.#toolbox;
    const { tools, env, scope } = this.#parts;
    const opening = new Scope(scope);
    this.#opening = opening;
    this.#toolbox = openToolbox(tools, {
      env,
      // Only sources ask for it.
      get signal() {
        return opening.signal;
      },
    });
    this.#toolbox.then(
      (toolbox) => {
        this.#opened = toolbox;
      },
      () => {},
    );
    return this.#toolbox;
  }

  /** One of the agent's models, by its place in the list. */
  model(index: number): Promise<Model> {
    const { agent, env, ports } = this.#parts;
    this.#models ??= [];
    const known = this.#models[index];
    if (known) return known;
    const ref = toModelRefs(agent)[index];
    const made = resolveModel({ name: agent.name, ref }, env, ports);
    this.#models[index] = made;
    // Whoever comes next may have more luck.
    made.catch(() => delete this.#models?.[index]);
    return made;
  }

  /** Tools that are still being listed are not waited for: whatever comes of them is closed when it comes. */
  async close(): Promise<void> {
    const closing = this.#toolbox?.then(
      (toolbox) => toolbox.close(),
      () => {},
    );
    if (this.#opened) await closing;
    else this.#opening?.abort(cancelled('The session ended before its tools were there.'));
    this.#opening?.close();
  }
}
