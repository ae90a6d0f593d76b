// What somebody set up: an entry of a configuration, as plain data, and what goes with it.

import type { Failure } from '@ai-agent/core';

export type ToolSection = 'mcpServers' | 'restTools' | 'openapiSpecs';

/** An entry of a configuration that an agent names. */
export interface ToolSetUp {
  readonly section: ToolSection;
  readonly name: string;
  /** Variables stand in it as `${NAME}`; each session fills in its own. */
  readonly config: Readonly<Record<string, unknown>>;
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
  /** Calls at once. */
  readonly concurrent?: number;
  /** Calls begun in any minute. */
  readonly callsPerMinute?: number;
}

/** The reason why a server cannot start. The message continues "cannot be started:". */
export type StartProblem = Pick<Failure, 'message' | 'remedy'>;

/** Something wrong with an entry, whatever its variables are. */
export interface SetUpProblem {
  readonly severity: 'error' | 'warning';
  readonly code: 'config-invalid' | 'key-unknown';
  /** Inside the entry: `['headers', 'Authorization']`. */
  readonly path: readonly string[];
  readonly message: string;
}
