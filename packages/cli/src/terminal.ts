// What commands may know of the terminal they run in.

import { EventEmitter } from 'node:events';
import { fstatSync } from 'node:fs';
import type { Input } from './commands/prompt-words.ts';
import type { Screen } from './render/live.ts';

export interface Terminal {
  readonly input: Input;
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly isColoured: boolean;
  /**
   * Calls back with the reason on Ctrl-C, on SIGTERM, or when nobody reads stdout any more; a second signal ends the
   * process at once. Returns how to let go.
   */
  onInterrupt(callback: (reason: string) => void): () => void;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const onceGone = new EventEmitter();
  stdout.on('error', (error: NodeJS.ErrnoException) => (isGone(error) ? onceGone.emit('gone') : failToWrite(error)));
  stderr.on('error', (error: NodeJS.ErrnoException) => (isGone(error) ? undefined : failToWrite(error)));
  const isDumb = env.TERM === 'dumb';
  return {
    input: {
      // Asked for when it is needed: a folder may be gone.
      get cwd() {
        return process.cwd();
      },
      // The input is opened by the first who looks at it.
      get isTerminal() {
        return process.stdin.isTTY === true;
      },
      get isPiped() {
        return isPipe(0);
      },
      read: async () => (await import('node:stream/consumers')).text(process.stdin),
    },
    stdout,
    // A terminal without cursor movement gets the plain lines of a pipe.
    stderr: isDumb ? { write: (text) => stderr.write(text) } : stderr,
    isColoured: stderr.isTTY === true && !env.NO_COLOR && !isDumb,
    onInterrupt(callback) {
      const signals = ['SIGINT', 'SIGTERM'] as const;
      let count = 0;
      const onSignal = (signal: string) => {
        if (++count > 1) process.exit(130);
        callback(`Interrupted by ${signal}.`);
      };
      const onGone = () => callback('Nobody reads the output any more.');
      for (const signal of signals) process.on(signal, onSignal);
      onceGone.once('gone', onGone);
      return () => {
        for (const signal of signals) process.off(signal, onSignal);
        onceGone.off('gone', onGone);
      };
    },
  };
}

/** A reader that went away (`ai-agent demo | head -1`) is no reason to crash. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE';
}

/** A disk that is full is one to say so. */
function failToWrite({ message }: Error): never {
  process.stderr.write(`The output could not be written: ${message}\n`);
  process.exit(1);
}

/** A pipe of a shell, or a file; not the socket that a program gives another one and often leaves open. */
function isPipe(descriptor: number): boolean {
  try {
    const input = fstatSync(descriptor);
    return input.isFIFO() || input.isFile();
  } catch {
    return false;
  }
}
