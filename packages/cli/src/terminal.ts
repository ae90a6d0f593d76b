// What commands may know of the terminal they run in.

import { text } from 'node:stream/consumers';
import type { Input } from './commands/prompt-words.ts';
import type { Screen } from './render/live.ts';

export interface Terminal {
  readonly input: Input;
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly isColoured: boolean;
  /** Calls back on Ctrl-C or SIGTERM, once; a second one ends the process at once. Returns how to let go. */
  onInterrupt(callback: (signal: string) => void): () => void;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on('error', onWriteError);
  const isDumb = env.TERM === 'dumb';
  return {
    input: { cwd: process.cwd(), isTerminal: stdin.isTTY === true, read: () => text(stdin) },
    stdout,
    // A terminal without cursor movement gets the plain lines of a pipe.
    stderr: isDumb ? { write: (text) => stderr.write(text) } : stderr,
    isColoured: stderr.isTTY === true && !env.NO_COLOR && !isDumb,
    onInterrupt(callback) {
      const signals = ['SIGINT', 'SIGTERM'] as const;
      let count = 0;
      const onSignal = (signal: string) => {
        if (++count > 1) process.exit(130);
        callback(signal);
      };
      for (const signal of signals) process.on(signal, onSignal);
      return () => {
        for (const signal of signals) process.off(signal, onSignal);
      };
    },
  };
}

/** A reader that went away (`ai-agent demo | head -1`) is no reason to crash; a disk that is full is one to say so. */
function onWriteError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`The output could not be written: ${error.message}\n`);
  process.exit(1);
}
