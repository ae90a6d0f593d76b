// An agent that came out of a file, with what a session of it needs and who works with it.

import type { Agent, EnvOverlay, PriceResolver } from '@ai-agent/core';
import type { Configuration } from './config/configuration.ts';
import type { Effective } from './options/effective.ts';
import type { Role } from './role.ts';
import type { Versioned } from './version.ts';
import type { Choice } from './world.ts';

export interface LoadedAgent extends Versioned {
  /** Its real path. */
  readonly file: string;
  /** What it is called outside: its toolName, or the name of its file. */
  readonly name: string;
  readonly agent: Agent;
  /** What a session of it is given beside the agent: `ask(agent, prompt, session)`. */
  readonly session: SessionOptions;
  readonly usage?: string;
  /** A prompt for it with the date and the like filled in. */
  readonly fillPrompt: (text: string, now: number) => string;
  /** Its frontmatter with every option and what holds, to paste into a new file. */
  readonly template: () => string;
  /** What its configuration says of prices, then those of its team: one book for the whole team. */
  readonly priceBooks: readonly PriceResolver[];
  readonly effective: Effective;
  readonly configuration: Configuration;
  /** Whom its file names, by the key that names them, in the order said. */
  readonly team: Readonly<Record<Role, readonly LoadedAgent[]>>;
  /** All of them, each once. */
  readonly children: readonly LoadedAgent[];
  /** What it runs on because the file names no model. */
  readonly choice?: Choice;
}

export interface SessionOptions {
  /** The variables that its own set-ups name, and no others. */
  readonly envOverlay: EnvOverlay;
  /** Prices, when its configuration has some. */
  readonly ports?: { readonly prices: PriceResolver };
}

/** One whom a file names. */
export interface Member {
  readonly role: Role;
  /** Undefined when it could not be loaded; its problems are told. */
  readonly loaded: LoadedAgent | undefined;
}
