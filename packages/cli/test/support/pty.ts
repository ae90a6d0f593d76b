// The real command in a real pseudo-terminal, gone with the test.

import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { command, path } from './command.ts';
import { type OpenTerminal, openTerminal } from './terminal.ts';

export interface TerminalStart {
  readonly cwd: string;
  /** @default 100 */
  readonly columns?: number;
  /** @default 30 */
  readonly rows?: number;
  /** Beside PATH, HOME and TERM. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another program than the command. */
  readonly program?: string;
}

export interface InTerminal extends OpenTerminal {
  /** Waits until the screen and what scrolled away have this. */
  shows(words: string | RegExp, timeoutMs?: number): Promise<void>;
}

export function startInTerminal(args: readonly string[], start: TerminalStart): InTerminal {
  const { cwd, columns = 100, rows = 30, env = {}, program = command } = start;
  const opened = openTerminal({
    program,
    args,
    cwd,
    columns,
    rows,
    env: { PATH: path, HOME: join(cwd, 'home'), ...env },
  });
  onTestFinished(() => {
    try {
      opened.pty.kill('SIGKILL');
    } catch {
      // It is gone already.
    }
  });
  return {
    ...opened,
    async shows(words, timeoutMs = 10_000) {
      const matcher = typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words);
      await expect.poll(() => opened.history().join('\n'), { timeout: timeoutMs, interval: 20 }).toEqual(matcher);
    },
  };
}
