// The keys of whoever sits at the terminal, also when the standard input is a pipe.

import { closeSync, openSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';

export interface Keyboard {
  readonly keys: ReadStream;
  /** What is typed shows here. */
  readonly screen: WriteStream;
  /** Ctrl-C, which is only a key while keys are read one by one. */
  interrupt(): void;
  /** Leaves the terminal as it was. */
  release(): void;
}

export interface KeyboardOptions {
  /** Whether what was typed before counts. @default false */
  readonly keepsTyped?: boolean;
}

/** How to open it; nothing when nobody sits there. */
export function findKeyboard(): ((options?: KeyboardOptions) => Promise<Keyboard>) | undefined {
  // The input is opened by whoever looks at it, which takes its time.
  if (!process.stderr.isTTY) return undefined;
  const { stdin } = process;
  if (stdin.isTTY) return (options) => open(stdin, () => {}, options);
  if (!canOpen(controlling)) return undefined;
  return async (options) => {
    const keys = new (await import('node:tty')).ReadStream(openSync(controlling, 'r+'));
    return open(keys, () => keys.destroy(), options);
  };
}

/** The terminal that the process belongs to, wherever its streams lead. */
const controlling = '/dev/tty';

function canOpen(path: string): boolean {
  try {
    closeSync(openSync(path, 'r+'));
    return true;
  } catch {
    return false;
  }
}

async function open(
  keys: ReadStream,
  close: () => void,
  { keepsTyped = false }: KeyboardOptions = {},
): Promise<Keyboard> {
  // Also when nobody reads them any more: setting back a terminal that is gone is an error too.
  if (!keys.listeners('error').includes(passOver)) keys.on('error', passOver);
  // As if the terminal had sent it: whoever listens for the signal hears both.
  const interrupt = () => void process.emit('SIGINT', 'SIGINT');
  const release = () => {
    if (!keys.destroyed) keys.setRawMode(false).pause();
    close();
  };
  if (keepsTyped) keys.setRawMode(true);
  else await forgetTyped(keys, interrupt);
  return { keys, screen: process.stderr, interrupt, release };
}

/** A terminal that is closed tells so by a signal. */
const passOver = () => {};

const forgetMs = 20;

/** What was typed before something was asked is no answer to it: an impatient Enter must not decide anything. */
function forgetTyped(keys: ReadStream, interrupt: () => void): Promise<void> {
  return new Promise((resolve) => {
    const drop = (typed: Buffer | string) => {
      if (typed.includes('\u0003')) interrupt();
    };
    keys.setRawMode(true).on('data', drop);
    setTimeout(() => {
      keys.off('data', drop).pause();
      resolve();
    }, forgetMs);
  });
}
