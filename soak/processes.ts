// The processes of a soak: each is ended by its id, however the soak ends, and what it said last is kept.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Command {
  /** For people. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Started {
  readonly pid: number | undefined;
  /** The last it wrote, of both streams. */
  said(): string;
  /** Settles when it has written something that fits; rejects with what it said when it ended before. */
  heard(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** At once, without a word to it. */
  kill(): Promise<void>;
}

export class Processes {
  readonly #alive = new Set<ChildProcess>();

  constructor() {
    process.on('exit', () => this.#killAll());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  }

  start({ name, file, args, cwd, env }: Command): Started {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...(env ? { env } : {}) });
    this.#alive.add(child);
    let said = '';
    const listeners = new Set<() => void>();
    const listen = (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-8_000);
      for (const listener of listeners) listener();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    const ended = new Promise<number | null>((resolve) => {
      child.once('error', (error) => {
        said += `\n${name} did not start: ${error.message}`;
        resolve(1);
      });
      child.once('close', resolve);
    }).finally(() => this.#alive.delete(child));
    const kill = async () => {
      if (this.#alive.has(child)) child.kill('SIGKILL');
      await ended;
    };
    const heard = (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(said);
          if (found && listeners.delete(look)) resolve(found);
        };
        listeners.add(look);
        look();
        ended.then((code) => reject(new Error(`${name} ended with ${code ?? 'a signal'}:\n${said}`)));
      });
    return { pid: child.pid, said: () => said, heard, ended, kill };
  }

  /** Runs to the end, or for so long; fails with what it said. */
  async run(command: Command, limitMs: number): Promise<void> {
    const started = this.start(command);
    const timer = setTimeout(() => void started.kill(), limitMs);
    const code = await started.ended;
    clearTimeout(timer);
    if (code !== 0) throw new Error(`${command.name} ended with ${code ?? 'a signal'}:\n${started.said()}`);
  }

  async killAll(): Promise<void> {
    const closed = [...this.#alive].map((child) => once(child, 'close'));
    this.#killAll();
    await Promise.all(closed);
  }

  #killAll(): void {
    for (const child of this.#alive) child.kill('SIGKILL');
  }
}
