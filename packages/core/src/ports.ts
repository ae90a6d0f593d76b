// What core needs of the world, handed in by whoever runs it.

import type { Model } from './model.ts';

export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Resolves `provider/model`. Needed only when an agent names its model by a string. */
  readonly models?: ModelResolver;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason when aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

export interface Ids {
  /** A new id: unguessable where sessions are reachable from outside; letters, digits, dashes and underscores. */
  next(): string;
}

export type ModelResolver = (ref: string, options: ModelResolverOptions) => Model | Promise<Model>;

export interface ModelResolverOptions {
  /** The session's own variables; nothing else of the environment may be read. */
  readonly env: EnvOverlay;
}

/** The variables one session may see. Immutable. */
export type EnvOverlay = Readonly<Record<string, string>>;
