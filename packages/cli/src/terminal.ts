// What commands may know of the terminal they run in.

import { EventEmitter } from 'node:events';
import { fstatSync } from 'node:fs';
import type { Input } from './commands/run/prompt-words.ts';
import { type Heard, hearSignals, type Interruptible, listenForInterrupts } from './interrupts.ts';
import { findKeyboard, type Keyboard, type KeyboardOptions } from './keyboard.ts';
import { asPipe, type Screen } from './render/screen.ts';

export interface Terminal {
  readonly input: Input;
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly isColoured: boolean;
  /** Opens the keys of whoever sits there; nothing when nobody can be asked. */
  readonly openKeyboard?: ((options?: KeyboardOptions) => Promise<Keyboard>) | undefined;
  /** Ends it on Ctrl-C, on other signals, or when nobody reads stdout any more. Returns how to let go. */
  onInterrupt(run: Interruptible): () => void;
  /** The same for whoever runs one after the other: each signal, and what it means is theirs to say. Returns how to let go. */
  onSignal(hear: (heard: Heard) => void): () => void;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const reader = new EventEmitter();
  stdout.on('error', (error: NodeJS.ErrnoException) => (isGone(error) ? reader.emit('gone') : failToWrite(error)));
  // What is told beside the answer is not worth the answer, nor a server.
  stderr.on('error', () => {});
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
      lines: readLines,
    },
    stdout,
    // A terminal without cursor movement gets the plain lines of a pipe.
    stderr: isDumb ? asPipe(stderr) : stderr,
    isColoured: stderr.isTTY === true && !env.NO_COLOR && !isDumb,
    get openKeyboard() {
      return findKeyboard();
    },
    onInterrupt: (run) => listenForInterrupts(run, reader),
    onSignal: (hear) => hearSignals(hear, reader),
  };
}

async function* readLines(signal: AbortSignal): AsyncIterable<string> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, terminal: false, signal });
  try {
    yield* lines;
  } finally {
    lines.close();
    // Whoever writes there need not be waited for.
    process.stdin.destroy();
  }
}

/** A reader that went away (`ai-agent demo | head -1`) is no reason to crash, nor is a window that was closed. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO';
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
