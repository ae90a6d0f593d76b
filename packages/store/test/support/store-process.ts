// A process of its own with a store: takes calls as lines of JSON, and answers them the same way.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { openStore, type Store } from '../../src/index.ts';
import { forEver } from './for-ever.ts';

/** The name of a function of the store, and what it is given. */
type Call = readonly [
  name: 'put' | 'claim' | 'append' | 'get' | 'list' | 'facts' | 'delete',
  ...args: readonly unknown[],
];

export class StoreProcess {
  readonly #child: ChildProcess;
  readonly #waiting: ((line: string) => void)[] = [];

  static async start(where: string): Promise<StoreProcess> {
    const started = new StoreProcess(where);
    await started.#next();
    return started;
  }

  private constructor(where: string) {
    this.#child = spawn(process.execPath, [import.meta.filename, where], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.(line));
  }

  async call<T>(...call: Call): Promise<T> {
    this.#child.stdin?.write(`${JSON.stringify(call)}\n`);
    const answer = JSON.parse(await this.#next()) as { value?: T; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as T;
  }

  /** At once, whatever it is doing. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  #next(): Promise<string> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

async function serve(where: string): Promise<void> {
  const store = await openStore(where, { retention: forEver });
  const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);
  say({});
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...args] = JSON.parse(line) as Call;
    const work = store[name] as (this: Store, ...given: readonly unknown[]) => Promise<unknown>;
    await work.apply(store, args).then(
      (value) => say({ value }),
      (error: Error) => say({ error: error.message }),
    );
  }
  await store.close();
}

if (process.argv[1] === import.meta.filename) await serve(process.argv[2] ?? '');
