// What commands may know of the terminal they run in.

import type { Screen } from './render/live.ts';

export interface Terminal {
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly isColoured: boolean;
  /** Calls back on Ctrl-C or SIGTERM, once; a second one ends the process at once. Returns how to let go. */
  onInterrupt(callback: () => void): () => void;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  // A reader that went away (`ai-agent demo | head -1`) is no reason to crash.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || process.exit(1));
  return {
    stdout,
    stderr,
    isColoured: stderr.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    onInterrupt(callback) {
      const signals = ['SIGINT', 'SIGTERM'] as const;
      let count = 0;
      const onSignal = () => {
        if (++count > 1) process.exit(130);
        callback();
      };
      for (const signal of signals) process.on(signal, onSignal);
      return () => {
        for (const signal of signals) process.off(signal, onSignal);
      };
    },
  };
}
