// What no fact, hint, error or report of a tree may show: values it was given to keep, and whatever looks like a key.

import { type EnvOverlay, isSecretName } from './env.ts';
import { AgentError, type ErrorCode, isAgentError, isCancellation, messageOf } from './errors.ts';
import { isTelling, ownFields } from './event-texts.ts';
import type { AgentEvent } from './events.ts';
import { hasShape, keyShapes, shortestShape, strikeShapes } from './key-shapes.ts';
import { KnownValues, shortestValue } from './known-values.ts';
import { type Striker, strikeOut, strikeValues, struck } from './strike.ts';
import { StruckStream } from './struck-stream.ts';

export class Secrets {
  readonly #known = new KnownValues();
  readonly #all = new KnownAndShaped(this.#known);

  /** From now on the value is struck out wherever it would be shown. */
  hide(value: string): void {
    this.#known.add(value);
  }

  /** The variables that are named like secrets. What else must not be shown, whoever uses it has to say. */
  hideOf(env: EnvOverlay): void {
    for (const name in env) if (isSecretName(name)) this.hide(env[name] ?? '');
  }

  /** A tool or an agent of this name must still be found by it, whatever the value of a variable is. */
  spare(name: string): void {
    if (!this.#known.isEmpty) this.#known.spare(name);
  }

  spareAll(named: readonly { readonly name: string }[]): void {
    if (!this.#known.isEmpty) for (const { name } of named) this.#known.spare(name);
  }

  /** For whoever looks on: without known values, and without whatever has the shape of a key. */
  show<T>(value: T): T {
    return strikeOut(value, this.#all);
  }

  /** The same of an event. What we named and counted ourselves is not looked at. */
  showEvent<E extends AgentEvent>(event: E): E {
    // Texts in pieces were looked at as the whole that they are; most other hints have none.
    if (isPlainHint(event)) return event;
    if (!isTelling(event, this.#all)) return event;
    const shown = Object.entries(event).map(([key, value]) => [key, ownFields.has(key) ? value : this.show(value)]);
    return Object.fromEntries(shown) as E;
  }

  /**
   * For what is recorded, kept and told to models: without known values alone. A key that a person gave to a model is
   * the model's to work with. A replay takes what was recorded, cleared as it was then: it opens no models, and so
   * does not know what they were opened with.
   */
  keep<T>(value: T): T {
    return this.#known.isEmpty ? value : strikeOut(value, this.#known);
  }

  /** The same of what others know by the names of its fields: a schema, the arguments of a call. */
  keepValues<T>(value: T): T {
    return this.#known.isEmpty ? value : strikeValues(value, this.#known);
  }

  /** The same of a text that may be JSON, and stays JSON if it is: of the same form, for whoever checks it. */
  keepJson(text: string): string {
    if (this.#known.isEmpty || !this.#known.finds(text)) return text;
    const value = parsed(text);
    return value === undefined ? this.keep(text) : JSON.stringify(this.keepValues(value));
  }

  /** Whether nothing was given to keep. */
  get isEmpty(): boolean {
    return this.#known.isEmpty;
  }

  /** The same of something thrown. Its cause would tell what it does not. */
  keepError(error: unknown, fallback: ErrorCode): unknown {
    return this.#known.isEmpty || isCancellation(error) ? error : strikeError(error, fallback, this.#known);
  }

  /** An error for whoever looks on. */
  showError(error: unknown): unknown {
    return strikeError(error, 'internal', this.#all);
  }

  /** For a text in pieces: together they are what `show` makes of the whole. */
  stream(): { push(text: string): string; end(): string } {
    const shapes = new StruckStream(keyShapes);
    let known: StruckStream | undefined;
    return {
      push: (text) => {
        if (this.#known.isEmpty) return shapes.push(text);
        known ??= new StruckStream(this.#known);
        return shapes.push(known.push(text));
      },
      end: () => (known ? shapes.push(known.end()) : '') + shapes.end(),
    };
  }
}

function isPlainHint(event: AgentEvent): event is Exclude<AgentEvent, Parameters<typeof isTelling>[0]> {
  return event.kind === 'hint' && !tellingHints.has(event.type);
}

const tellingHints: ReadonlySet<string> = new Set(['tool-progress', 'task-status', 'model-wait', 'model-send']);

/** An object or a list; undefined for any other text. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

class KnownAndShaped implements Striker {
  readonly #known: KnownValues;

  constructor(known: KnownValues) {
    this.#known = known;
  }

  finds(text: string): boolean {
    // Most texts are short, and most trees have no values to hide.
    if (text.length < shortestShape && (this.#known.isEmpty || text.length < shortestValue)) return false;
    return hasShape(text) || (!this.#known.isEmpty && this.#known.finds(text));
  }

  /** Known values first: what only looks like a key must not leave half of one. */
  strike(text: string): string {
    return strikeShapes(this.#known.strike(text), struck);
  }
}

function strikeError(error: unknown, fallback: ErrorCode, striker: Striker): unknown {
  const known = isAgentError(error) ? error : undefined;
  const message = known?.message ?? messageOf(error);
  const remedy = known?.remedy ?? '';
  if (!striker.finds(message) && !striker.finds(remedy)) return error;
  const { class: itsClass, retryable, status, retryAfterMs, limit } = known ?? {};
  const fields = Object.entries({ class: itsClass, retryable, status, retryAfterMs, limit });
  const given = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  const said = remedy === '' ? {} : { remedy: striker.strike(remedy) };
  return new AgentError(known?.code ?? fallback, striker.strike(message), { ...given, ...said });
}
