// What tools from outside need of the process, handed in by whoever assembles it.

import type { Clock } from '@ai-agent/core';
import type { TokenStore } from './oauth/token-store.ts';
import type { Queues } from './queues.ts';

export interface Surroundings {
  readonly clock: Clock;
  /** Where servers are started that say nothing else. */
  readonly cwd: string;
  /** The few variables of the process that every server on this machine gets beside its own: PATH, HOME and the like. */
  readonly serverEnv: Readonly<Record<string, string>>;
  /** Who we say we are. */
  readonly version: string;
  /** Keeps what servers gave us to come back with. @default in memory */
  readonly tokens?: TokenStore;
  /** Shows a page to the person at this machine. @default nobody is there */
  readonly openPage?: (url: string) => Promise<void>;
  /** Hears what is said to servers and by them, without keys. @default nobody */
  readonly onTraffic?: (traffic: Traffic) => void;
  /** The rows before tools; whoever has several toolsets shares one. @default rows of its own */
  readonly queues?: Queues;
  /** How many servers are connected to at once. @default all */
  readonly startsAtOnce?: number;
}

/** One thing that went over the wire, or that a server wrote beside it. */
export interface Traffic {
  readonly server: string;
  readonly direction: 'sent' | 'received' | 'stderr';
  /** One line. */
  readonly text: string;
}
