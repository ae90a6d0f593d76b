// What a session works with: its tools and its models, opened when first needed. A pool may hand it to one session after another.

import { cancelled, Scope } from './abort.ts';
import type { Agent } from './agent.ts';
import { limitsOf, toModelRefs } from './agent.ts';
import type { EnvOverlay } from './env.ts';
import { AgentError } from './errors.ts';
import { inTime, inWords } from './in-time.ts';
import type { Model } from './model.ts';
import { resolveModel } from './open-agent.ts';
import type { Ports } from './ports.ts';
import type { ToolOffer } from './tool.ts';
import { isSourceOffer, openToolbox, type Toolbox } from './toolbox.ts';

export interface PreparedParts {
  readonly agent: Agent;
  readonly env: EnvOverlay;
  readonly tools: readonly ToolOffer[];
  readonly ports: Ports;
  /** Takes what the models and tools must keep to themselves. */
  readonly hide: (secret: string) => void;
  /** Whether a person answers for the run. */
  readonly isAttended: boolean;
  /** Whoever this lives as long as. */
  readonly scope: Scope;
}

export class Prepared {
  readonly #parts: PreparedParts;
  #toolbox: Promise<Toolbox> | undefined;
  /** The same without a limit of time: whatever comes of it has to be closed. */
  #listing: Promise<Toolbox> | undefined;
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

  /** Whether there is something to close. */
  get hasSources(): boolean {
    return this.#parts.tools.some((offer) => typeof offer === 'function');
  }

  /** The tools, once they are there. */
  get toolbox(): Toolbox | undefined {
    return this.#opened;
  }

  tools(): Promise<Toolbox> {
    if (this.#toolbox) return this.#toolbox;
    const { tools, env, scope, isAttended, hide } = this.#parts;
    const opening = new Scope(scope);
    this.#opening = opening;
    this.#listing = openToolbox(tools, {
      env,
      isAttended,
      hide,
      // Only sources ask for it.
      get signal() {
        return opening.signal;
      },
    });
    this.#toolbox = this.#inTime(opening, this.#listing);
    this.#toolbox.then(
      (toolbox) => {
        this.#opened = toolbox;
      },
      () => {},
    );
    return this.#toolbox;
  }

  /** Only sources can keep anybody waiting. */
  #inTime(scope: Scope, listing: Promise<Toolbox>): Promise<Toolbox> {
    const { agent, tools, ports } = this.#parts;
    if (!tools.some(isSourceOffer)) return listing;
    const durationMs = limitsOf(agent).toolTimeoutMs;
    const late = () =>
      new AgentError('tool-source-failed', `The tools of ${agent.name} were not listed within ${inWords(durationMs)}.`);
    return inTime({ clock: ports.clock, durationMs, scope, late }, () => listing);
  }

  /** One of the agent's models, by its place in the list. */
  model(index: number): Promise<Model> {
    const { agent, env, ports, hide } = this.#parts;
    this.#models ??= [];
    const known = this.#models[index];
    if (known) return known;
    const ref = toModelRefs(agent)[index];
    const resolving = resolveModel({ name: agent.name, ref }, { env, hide }, ports);
    const made = typeof ref === 'object' && 'call' in ref ? resolving : this.#openedInTime(resolving);
    this.#models[index] = made;
    // Whoever comes next may have more luck.
    made.catch(() => delete this.#models?.[index]);
    return made;
  }

  /** Whoever opens a model may ask a server for it: that takes no longer than a request may. */
  #openedInTime(opening: Promise<Model>): Promise<Model> {
    const { agent, ports, scope } = this.#parts;
    const durationMs = limitsOf(agent).llmTimeoutMs;
    const late = () =>
      new AgentError('model-timeout', `A model of ${agent.name} was not opened within ${inWords(durationMs)}.`);
    return inTime({ clock: ports.clock, durationMs, scope, late, endsOn: 'stop' }, () => opening);
  }

  /** Tools that are still being listed are not waited for: whatever comes of them is closed when it comes. */
  async close(): Promise<void> {
    const closing = this.#listing?.then(
      (toolbox) => toolbox.close(),
      () => {},
    );
    if (this.#opened) await closing;
    else this.#opening?.abort(cancelled('The session ended before its tools were there.'));
    this.#opening?.close();
  }
}
