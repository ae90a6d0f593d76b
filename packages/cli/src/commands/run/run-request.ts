// What is asked of a run: of whom, what, and how much of it is told.

import type { LoadedAgent } from '@ai-agent/agents';
import type { AgentEvent, FilePart, JsonObject, Outcome, OutputContract, ResultCache } from '@ai-agent/core';
import type { Detail } from '../../render/plain-lines.ts';
import type { KeptRun } from './kept-run.ts';
import type { OutsideOfRun } from './outside-of-run.ts';
import type { PluginsAtWork } from './plugins-at-work.ts';

export interface RunRequest {
  readonly loaded: Pick<LoadedAgent, 'agent' | 'session'>;
  readonly prompt: string | JsonObject;
  /** @default none */
  readonly attachments?: readonly FilePart[];
  /** @default 'answer' */
  readonly print?: Print;
  /** How much is told on stderr while it runs; with `errors` only what went wrong. @default 'usual' */
  readonly detail?: Detail;
  /** The whole tree on stderr, at the end. @default false */
  readonly hasTree?: boolean;
  /** True if missing work of children makes the exit code 5. @default false */
  readonly isStrict?: boolean;
  /** Answers that may be given again. @default those of this process */
  readonly cache?: ResultCache;
  /** What the answer has to be. @default what the agent says */
  readonly output?: OutputContract;
  /** Whom it waits for before sessions open, and what a person there is told. @default nobody */
  readonly outside?: Pick<OutsideOfRun, 'watched' | 'sayTo'>;
  /** Hears of plugins that are at work. @default nobody */
  readonly plugins?: Pick<PluginsAtWork, 'port'>;
  /** The session that it is kept as. @default nothing is kept */
  readonly kept?: KeptAs;
  /** Hears every event, before anybody else. @default nobody */
  readonly onEvent?: (event: AgentEvent) => void;
  /** Whether the tree is left standing above the answer also where there is only its root. @default true */
  readonly leavesLone?: boolean;
  /** What is typed meanwhile, as it is shown below the tree; empty when nothing is. @default nobody types */
  readonly typed?: () => string;
  /** Gets the outcome, whatever it is, before it is printed. Does not throw. @default nobody */
  readonly onOutcome?: (outcome: Outcome) => Promise<void>;
}

/** What goes to stdout: the answer, the outcome as one document, or every event as a line. */
export type Print = 'answer' | 'json' | 'events';

/** What a run needs to know of the session that it is kept as. */
export type KeptAs = Pick<
  KeptRun,
  'id' | 'given' | 'withBudget' | 'ports' | 'onEvent' | 'end' | 'isKept' | 'undo' | 'abandon' | 'resumeWith' | 'inWords'
>;
