// What core needs of the world, handed in by whoever runs it.

import type { BudgetPort } from './budget-port.ts';
import type { Model, ModelResolverOptions } from './model.ts';
import type { OutputStore } from './outputs.ts';
import type { PauseStore } from './pauses.ts';
import type { PriceResolver } from './price.ts';
import type { ResultCache } from './result-cache.ts';
import type { Slots } from './slots.ts';
import type { WorkspaceStore } from './workspace-store.ts';

export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Resolves `provider/model`. Needed only when an agent names its model by a string. */
  readonly models?: ModelResolver;
  /** What models cost. @default every price is unknown, except what a provider reports itself */
  readonly prices?: PriceResolver;
  /** Bounds what the whole process does at once. @default unbounded */
  readonly slots?: Slots;
  /** The budget of one tree. @default kept in memory */
  readonly budget?: BudgetPort;
  /** Keeps what was too long for a conversation. @default in memory, for as long as the tree lives */
  readonly outputs?: OutputStore;
  /** Keeps sessions that wait for an answer. @default in memory, for as long as the tree lives */
  readonly pauses?: PauseStore;
  /** Keeps answers of tools that may be given again. @default in memory, for as long as the tree lives */
  readonly cache?: ResultCache;
  /** Keeps what the agents of a run share. @default in memory, for as long as the tree lives */
  readonly workspace?: WorkspaceStore;
  /** Told of every plugin that is at work on a report, and of what went wrong there. @default nobody is */
  readonly plugins?: (work: PluginWork) => unknown;
}

/** The same as a run has them: what was not handed in is there too. */
export interface RunPorts extends Ports {
  readonly budget: BudgetPort;
  readonly outputs: OutputStore;
  readonly pauses: PauseStore;
  readonly cache: ResultCache;
  readonly workspace: WorkspaceStore;
}

export interface Clock {
  /** The wall clock, in milliseconds since 1970. An operator or NTP may set it back or forward at any time. */
  now(): number;
  /** Milliseconds since any fixed moment. Never goes back, and setting the wall clock does not change it: for durations. */
  monotonicMs(): number;
  /** Calls once, after this long; returns how to call it off. A process that has nothing else to do need not wait for what is idle. */
  after(durationMs: number, wake: () => void, isIdle?: boolean): () => void;
}

export interface Ids {
  /** A new id: unguessable where sessions are reachable from outside; letters, digits, dashes and underscores. */
  next(): string;
}

/** A plugin at work on a report. */
export interface PluginWork {
  readonly plugin: string;
  readonly agentName: string;
  readonly sessionId: string;
  /** Settles when the plugin is done or given up, with what went wrong in a sentence. Never rejects. */
  readonly done: Promise<string | undefined>;
  /** Said while you are told of it: the plugin begins when this is settled, and its time then. @default at once */
  startAfter(released: Promise<unknown>): void;
}

export type ModelResolver = (ref: string, options: ModelResolverOptions) => Model | Promise<Model>;
