// Starts the server for tests of load, tells it what to do, and ends it.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Left, Order, Told } from './stream-server.ts';

export interface StreamServer {
  readonly url: string;
  order(what: Exclude<Order, 'collect'>): void;
  /** What is left, after collections. */
  left(): Promise<Left>;
  kill(): void;
}

export async function startStreamServer(concurrency: number): Promise<StreamServer> {
  const server = fork(join(import.meta.dirname, 'stream-server.ts'), [String(concurrency)], {
    // Code that has not run for a while is dropped at some moment, megabytes at once: no answer to this question.
    execArgv: ['--expose-gc', '--no-flush-bytecode'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const told = await nextTold(server);
  if (!('url' in told)) throw new TypeError('It did not say where it listens.');
  return {
    url: told.url,
    order: (what) => void server.send(what),
    async left() {
      server.send('collect' satisfies Order);
      return (await nextTold(server)) as Left;
    },
    kill: () => void server.kill('SIGKILL'),
  };
}

async function nextTold(server: ChildProcess): Promise<Told> {
  const [told] = (await once(server, 'message', { signal: AbortSignal.timeout(60_000) })) as [Told];
  return told;
}
