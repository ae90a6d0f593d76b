// What to say to a command line that cannot be carried out.

import { AgentError, oneLine, toFailedDocument, toFailure, withoutKeys } from '@ai-agent/core';
import { exitCodes } from '../exit-codes.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';

type Screens = Pick<Terminal, 'stdout' | 'stderr'>;

export interface MisuseOptions {
  /** The command that would have helped. @default 'ai-agent --help' */
  readonly help?: string;
  /** Whether a document was asked for. @default false */
  readonly isJson?: boolean;
}

export function misuse(screens: Screens, said: string, options: MisuseOptions = {}): number {
  const { stdout, stderr } = screens;
  const problem = withoutKeys(said);
  const { help = 'ai-agent --help', isJson = false } = options;
  if (isJson) {
    const error = new AgentError('session-input-invalid', problem, { remedy: `See ${help}.` });
    stdout.write(`${toJson(toFailedDocument(toFailure(error)), stdout)}\n`);
  }
  stderr.write(`${oneLine(`failed (usage): ${problem} See ${help}.`)}\n`);
  return exitCodes.usage;
}
