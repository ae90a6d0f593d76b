// Ctrl-C, the signals that end a process, and a reader who went away: what each of them asks of a run.

import type { EventEmitter } from 'node:events';

/** What can be ended, gently or not. */
export interface Interruptible {
  /** The first Ctrl-C: end with what there is. */
  stop(): void;
  /** End now: a second Ctrl-C, another signal, or nobody reads stdout any more. */
  cancel(reason: string): void;
  /** End now, because whoever sat there is gone. Whether what is asked of them stays open; else it is cancelled. @default it is */
  leave?(reason: string): boolean;
  /** The process ends without waiting for the run: leave the terminal as it was, and write down the last of it, in a moment. */
  abandon(): void | Promise<void>;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** npx, timeout and others hand on what the terminal has sent already: so soon it is the same one again. */
const echoMs = 80;

/** How long a run that was cancelled may take to end. */
const patienceMs = 1_000;

/** The same where a question stays open: what others do meanwhile ends first, and nobody waits for the terminal. Supervisors wait for ten seconds. */
const openPatienceMs = 8_000;

/** A signal, or that nobody reads stdout any more. */
export type Heard = (typeof signals)[number] | 'gone';

/** Whoever quits has seen what is asked; whoever is gone has not. How long it may take to end, in milliseconds. */
export function endFor(heard: Exclude<Heard, 'SIGINT'>, run: Interruptible | undefined): number {
  const reason = heard === 'gone' ? unread : `Interrupted by ${heard}.`;
  if (heard !== 'SIGQUIT' && run?.leave) return run.leave(reason) ? openPatienceMs : patienceMs;
  run?.cancel(reason);
  return patienceMs;
}

/** Returns how to hear no more of them. */
export function hearSignals(hear: (heard: Heard) => void, reader: EventEmitter): () => void {
  const heardAt = new Map<string, number>();
  const onSignal = (signal: Heard) => {
    const now = performance.now();
    if (now - (heardAt.get(signal) ?? -echoMs) < echoMs) return;
    heardAt.set(signal, now);
    hear(signal);
  };
  const onGone = () => hear('gone');
  for (const signal of signals) process.on(signal, onSignal);
  reader.on('gone', onGone);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
    reader.off('gone', onGone);
  };
}

/**
 * Returns how to let go of the run. Signals are heard until the process is gone: an echo must not end it while the last of its
 * output is on the way.
 */
export function listenForInterrupts(run: Interruptible, reader: EventEmitter): () => void {
  let isStopped = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const leave = () => process.exit(130);
  let isLeaving = false;
  const end = () => {
    if (isLeaving) leave();
    isLeaving = true;
    const last = run.abandon();
    if (last) last.then(leave, leave);
    else leave();
  };
  const wait = (ms: number) => {
    timer ??= setTimeout(end, ms);
  };
  const onSignal = (signal: Exclude<Heard, 'gone'>) => {
    if (isOver) process.exit(130);
    else if (timer) {
      // A window that is closed tells so more than once.
      if (signal !== 'SIGHUP') end();
    } else if (signal !== 'SIGINT') {
      wait(endFor(signal, run));
    } else if (isStopped) {
      wait(patienceMs);
      run.cancel('Interrupted by SIGINT.');
    } else {
      isStopped = true;
      run.stop();
    }
  };
  const onGone = () => {
    if (isOver || timer) return;
    wait(endFor('gone', run));
  };
  hearSignals((heard) => (heard === 'gone' ? onGone() : onSignal(heard)), reader);
  return () => {
    clearTimeout(timer);
    isOver = true;
  };
}

/** Why what runs is cancelled when nobody reads stdout any more. */
export const unread = 'Nobody reads the output any more.';
