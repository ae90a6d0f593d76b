// One run of a file of the corpus, and everything that has to come of it.

import type { Call } from './dialects.ts';
import type { TeamScript } from './gateway.ts';

export interface Run {
  /** Of its expectation. */
  readonly name: string;
  /** The file, flags and the prompt. */
  readonly args: readonly string[];
  readonly script: TeamScript;
  readonly stdout: string;
  /** @default nothing */
  readonly stderr?: string;
  /** @default 0 */
  readonly code?: number;
  /** What APIs were asked, in any order. @default nothing */
  readonly calls?: readonly string[];
}

export function call(name: string, input: object): Call {
  return { name, input };
}

/** A call of a sub-agent says why. */
export function ask(name: string, input: object): Call {
  return call(`agent__${name}`, { ...input, reason: `for ${name}` });
}
