// A flag of a command: what the parser, the help and the completion know of it.

import type { FlagForms } from '../arguments.ts';

export interface Flag {
  /** The first is the one that is shown; a short one stands behind it. */
  readonly names: readonly [string, ...string[]];
  /** What is written after it, in a word. @default nothing */
  readonly value?: string;
  readonly about: string;
  /** What may be written there, for a shell that completes it. @default only its author knows */
  readonly words?: readonly string[];
}

export function toForms(flags: readonly Flag[]): FlagForms {
  return new Map(
    flags.flatMap(({ names, value }) =>
      names.map((name) => [name, value === undefined ? 'alone' : 'value'] as [string, 'alone' | 'value']),
    ),
  );
}
