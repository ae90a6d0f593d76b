// The processes that were started for servers, each with everything it started itself. None of them outlives this process.

import type { ChildProcess } from 'node:child_process';

const hasGroups = process.platform !== 'win32';
const fatal = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
// Registered, so that two copies of this module know each other's listeners.
const ours = Symbol.for('ai-agent.ends-groups');

export class ProcessGroups {
  readonly #live = new Set<ChildProcess>();
  readonly #waiting: (() => void)[] = [];
  readonly #onExit = () => this.#killAll();
  readonly #onSignal = Object.assign((signal: NodeJS.Signals) => this.#endWith(signal), { [ours]: true });

  add(child: ChildProcess): void {
    if (this.#live.size === 0) this.#listen();
    this.#live.add(child);
  }

  /** When nothing of it is left. */
  remove(child: ChildProcess): void {
    if (!this.#live.delete(child) || this.#live.size > 0) return;
    this.#unlisten();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** When none is left. */
  async allGone(): Promise<void> {
    if (this.#live.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #listen(): void {
    process.on('exit', this.#onExit);
    for (const signal of fatal) process.on(signal, this.#onSignal);
  }

  #unlisten(): void {
    process.off('exit', this.#onExit);
    for (const signal of fatal) process.off(signal, this.#onSignal);
  }

  #killAll(): void {
    for (const child of this.#live) signalGroup(child, 'SIGKILL');
  }

  /** A signal that nobody else listens to still ends this process, as it would without us. */
  #endWith(signal: NodeJS.Signals): void {
    if (process.listeners(signal).some((listener) => !(ours in listener))) return;
    this.#killAll();
    process.off(signal, this.#onSignal);
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  }
}

/** To a process and everything below it; where there are no groups, to the process. It may be gone already. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // Nobody is left to be told.
  }
}

/** What `spawn` has to be told for a process to have a group of its own. */
export const inOwnGroup = { detached: hasGroups, windowsHide: true } as const;
