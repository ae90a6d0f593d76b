// The real command in a real pseudo-terminal, and a terminal emulator that shows what a person would see.

import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { expect, onTestFinished } from 'vitest';
import { command, path } from './command.ts';

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

export interface InTerminal {
  readonly pty: IPty;
  /** The lines on the screen, without the empty ones at its end. */
  screen(): readonly string[];
  /** Everything, also what scrolled away. */
  history(): readonly string[];
  /** Every byte that was written. */
  raw(): string;
  /** Waits until the screen and what scrolled away have this. */
  shows(words: string | RegExp, timeoutMs?: number): Promise<void>;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Its exit code, when all that it wrote has been read. */
  readonly ended: Promise<number>;
}

export function startInTerminal(args: readonly string[], start: TerminalStart): InTerminal {
  const { cwd, columns = 100, rows = 30, env = {}, program = command } = start;
  const emulator = new headless.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
  const pty = spawn(program, [...args], {
    cwd,
    cols: columns,
    rows,
    name: 'xterm-256color',
    env: { PATH: path, HOME: join(cwd, 'home'), TERM: 'xterm-256color', ...env },
  });
  let raw = '';
  pty.onData((data) => {
    raw += data;
    emulator.write(data);
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => emulator.write('', () => resolve(exitCode)));
  });
  onTestFinished(() => {
    try {
      pty.kill('SIGKILL');
    } catch {
      // It is gone already.
    }
  });
  const lines = (from: number, to: number) => {
    const { active } = emulator.buffer;
    const all = Array.from({ length: to - from }, (_, i) => active.getLine(from + i)?.translateToString(true) ?? '');
    while (all.at(-1) === '') all.pop();
    return all;
  };
  const screen = () => lines(emulator.buffer.active.baseY, emulator.buffer.active.baseY + emulator.rows);
  const history = () => lines(0, emulator.buffer.active.length);
  return {
    pty,
    screen,
    history,
    raw: () => raw,
    async shows(words, timeoutMs = 10_000) {
      const matcher = typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words);
      await expect.poll(() => history().join('\n'), { timeout: timeoutMs, interval: 20 }).toEqual(matcher);
    },
    type: (text) => pty.write(text),
    resize(toColumns, toRows) {
      emulator.resize(toColumns, toRows);
      pty.resize(toColumns, toRows);
    },
    ended,
  };
}
