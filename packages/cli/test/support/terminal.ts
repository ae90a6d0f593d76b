// A program in a real pseudo-terminal, and a terminal emulator that shows what a person would see.

import { type IPty, spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';

export interface Opening {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
  /** All of it, TERM included. */
  readonly env: Readonly<Record<string, string>>;
}

export interface OpenTerminal {
  readonly pty: IPty;
  readonly emulator: InstanceType<typeof headless.Terminal>;
  /** The lines on the screen, without the empty ones at its end. */
  screen(): readonly string[];
  /** Everything, also what scrolled away. */
  history(): readonly string[];
  /** Every byte that was written. */
  raw(): string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Its exit code, when all that it wrote has been read. */
  readonly ended: Promise<number>;
}

export function openTerminal({ program, args, cwd, columns, rows, env }: Opening): OpenTerminal {
  const emulator = new headless.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
  const name = env.TERM ?? 'xterm-256color';
  const pty = spawn(program, [...args], { cwd, cols: columns, rows, name, env });
  let raw = '';
  pty.onData((data) => {
    raw += data;
    emulator.write(data);
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => emulator.write('', () => resolve(exitCode)));
  });
  const lines = (from: number, to: number) => {
    const { active } = emulator.buffer;
    const all = Array.from({ length: to - from }, (_, i) => active.getLine(from + i)?.translateToString(true) ?? '');
    while (all.at(-1) === '') all.pop();
    return all;
  };
  return {
    pty,
    emulator,
    screen: () => lines(emulator.buffer.active.baseY, emulator.buffer.active.baseY + emulator.rows),
    history: () => lines(0, emulator.buffer.active.length),
    raw: () => raw,
    type: (text) => pty.write(text),
    resize(toColumns, toRows) {
      emulator.resize(toColumns, toRows);
      pty.resize(toColumns, toRows);
    },
    ended,
  };
}
