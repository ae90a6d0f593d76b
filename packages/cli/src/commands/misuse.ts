// What to say to a command line that cannot be carried out.

import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

export function misuse({ stderr }: Terminal, problem: string, help = 'ai-agent --help'): number {
  stderr.write(`failed (usage): ${problem} See ${help}.\n`);
  return exitCodes.usage;
}
