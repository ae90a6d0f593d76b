// Everything that is set up outside, as sources of tools. One of these is the whole process's: sessions share its connections.

import type { ToolSourceFactory } from '@ai-agent/core';
import type { SetUpProblem, ToolSetUp } from './set-up.ts';

export interface Toolset {
  /** What is wrong with an entry, whatever the variables are. */
  check(entry: Pick<ToolSetUp, 'section' | 'name' | 'config'>): readonly SetUpProblem[];
  /** Its tools: for each session anew, connected to when the session opens. */
  open(setUp: ToolSetUp): ToolSourceFactory;
  /** Ends every connection, and every process that was started for one. */
  close(): Promise<void>;
}
