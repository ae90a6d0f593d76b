// What loading needs of the world, handed in: where we are, what is set, and who knows providers.

import type {
  ask,
  EnvOverlay,
  ErrorCode,
  Failure,
  Model,
  ModelResolverOptions,
  Price,
  PriceResolver,
  ToolOffer,
} from '@ai-agent/core';
import type { Said } from './options/read-options.ts';
import type { Place } from './problem.ts';
import type { HostFacts } from './prompt/variables.ts';

export interface World {
  /** Relative paths of the command begin here; one of the places where configuration is looked for. */
  readonly cwd: string;
  /** The variables of the process, to look up in, never handed on whole. */
  readonly env: EnvOverlay;
  /** The home of the user: `.ai-agent` in it is read. @default none */
  readonly homeFolder?: string;
  /** The folder with the configuration of the machine: /etc/ai-agent. @default none */
  readonly systemFolder?: string;
  /** A configuration above all others. @default none */
  readonly configFile?: string;
  readonly host: HostFacts;
  readonly providers: Providers;
  /** Asked for once there is something to know: most agents need none of it. */
  readonly toolSets: () => Promise<ToolSets>;
  /** The default export of a module, by its path; undefined when it has none. Runs the module. */
  readonly importModule: (path: string) => Promise<unknown>;
  /** What a file without `models` runs on. `lookUp` finds variables as the configuration of that file does. */
  readonly chooseModel: (lookUp: (variable: string) => string | undefined) => Promise<Choice>;
  /** Options of the top agent. @default none */
  readonly flags?: Said;
  /** Options of every agent. @default none */
  readonly overrides?: Said;
  /** Options of every agent whose file does not say them; above `defaults` of a configuration. @default none */
  readonly defaults?: Said;
  /**
   * A check also says what is missing and what a run may stumble over. Help is given without any key; to look at tools the
   * models need none. @default 'run'
   */
  readonly purpose?: 'run' | 'check' | 'help' | 'tools';
  /** True if the agents at the top are served: each needs a description then. @default false */
  readonly isServed?: boolean;
  /** True if a program may give prices of its own later. The session checks them then. @default false */
  readonly mayLackPrices?: boolean;
  /** Whether modules that agents name may be run, as for a run and a check. @default true */
  readonly mayImport?: boolean;
  /** Runs an agent for `SubagentRegistry.run`. @default core's `ask`, which needs the ports in its options */
  readonly ask?: typeof ask;
  /** Told every model that an agent could run on and that has a provider to ask, also of an agent with errors. @default nobody */
  readonly onModel?: (model: NamedModel) => void;
  /** Told every server and the like that an agent could use, also of an agent with errors. @default nobody */
  readonly onTools?: (tools: NamedTools) => void;
}

export interface Choice {
  /** `provider/model`. */
  readonly model: string;
  /** A sentence for people. */
  readonly why: string;
}

/** What is known of providers. The package that talks to them implements it. */
export interface Providers {
  /** The usual set-up of a provider that everybody knows; its key is one of these variables. */
  wellKnown(name: string): WellKnown | undefined;
  readonly wellKnownNames: readonly string[];
  /** What is wrong with a set-up, whatever the variables are. */
  check(name: string, config: Readonly<Record<string, unknown>>): readonly SetUpProblem[];
  open(model: ModelSetUp, options: ModelResolverOptions): Promise<Model>;
  /** Media types of files that a model takes with a prompt. */
  filesTakenBy(model: ModelSetUp): readonly string[];
  /** The public price of a model, without any `pricing`. Undefined if it is not known. */
  priceOf(model: ModelSetUp, options: ModelResolverOptions): Promise<Price | 'reported' | undefined>;
  /** What is wrong with the section `pricing` of a configuration. */
  checkPrices(pricing: Readonly<Record<string, unknown>>): readonly SetUpProblem[];
  toPrices(pricing: Readonly<Record<string, unknown>>): PriceResolver;
}

export interface WellKnown {
  readonly config: Readonly<Record<string, unknown>>;
  /** In the order they are looked for; empty when it needs no key. */
  readonly keyVariables: readonly string[];
}

export interface SetUpProblem {
  readonly severity: 'error' | 'warning';
  readonly code: ErrorCode;
  /** Inside the set-up: `['models', 'gpt-5', 'overrides']`. */
  readonly path: readonly string[];
  readonly message: string;
}

export interface ModelSetUp {
  readonly provider: string;
  readonly model: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What is known of tools from outside. The package that brings them implements it. */
export interface ToolSets {
  /** What is wrong with a set-up, whatever the variables are. */
  check(entry: ToolEntry): readonly SetUpProblem[];
  /** The reason why a server of it cannot start on this machine, with the variables of a session. The message continues "cannot be started:". Starts nothing. */
  startProblem(setUp: ToolSetUp, env: EnvOverlay): Pick<Failure, 'message' | 'remedy'> | undefined;
  /** Its tools, for each session anew. */
  open(setUp: ToolSetUp): ToolOffer;
}

export const toolSections = ['mcpServers', 'restTools', 'openapiSpecs'] as const;

export type ToolSection = (typeof toolSections)[number];

export interface ToolEntry {
  readonly section: ToolSection;
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface ToolSetUp extends ToolEntry {
  /** Where paths in it begin: the folder of its file. */
  readonly folder: string;
  /** Whether a tool of it is wanted, by all of its names: as it is called there, and as models see it. */
  readonly isWanted: (names: readonly string[]) => boolean;
  /** Tools that are named one by one: each has to be there. */
  readonly named: readonly string[];
  /** What the configuration says of rows, by name. */
  readonly queues: ReadonlyMap<string, QueueSize>;
}

export interface QueueSize {
  readonly concurrent?: number;
  readonly callsPerMinute?: number;
}

/** A server, or the like, that an agent names. */
export interface NamedTools extends ToolSetUp {
  /** The variables that its set-up names. Secrets. */
  readonly env: EnvOverlay;
  /** Where it is named. */
  readonly place: Place;
  /** Where it is set up; of a document, where its file is written. */
  readonly setUpPlace: Place;
}

/** A model that an agent names. */
export interface NamedModel extends ModelSetUp {
  /** The variables that its set-up names. Secrets. */
  readonly env: EnvOverlay;
  /** Where it is named. */
  readonly place: Place;
  /** Whether it is asked only when another one fails. */
  readonly isFallback: boolean;
}
