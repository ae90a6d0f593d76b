// What each word after `sessions` does.

import type { Misuse, Words } from '../../arguments.ts';
import type { Terminal } from '../../terminal.ts';

export interface Subcommand {
  /** The exit code, or what is wrong with what was said. */
  run(words: Words, terminal: Terminal): Promise<number | Misuse>;
}
