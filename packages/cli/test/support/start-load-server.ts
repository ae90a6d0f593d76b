// Starts the server for tests of load, tells it what to do, and ends it.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, State, Told } from './load-server.ts';

export interface LoadServer {
  readonly url: string;
  /** Gives what it holds when that is done. */
  order(what: Order): Promise<State>;
  /** At once, without a word to it. Settles when it is gone. */
  kill(): Promise<void>;
}

/** On any port that is free, or on this one. */
export async function startLoadServer(port = 0): Promise<LoadServer> {
  const server = fork(join(import.meta.dirname, 'load-server.ts'), [String(port)], {
    // Code that has not run for a while is dropped at some moment, megabytes at once: no answer to what is asked here.
    execArgv: ['--expose-gc', '--no-flush-bytecode'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = once(server, 'exit');
  const told = await nextTold(server);
  if (!('url' in told)) throw new TypeError('It did not say where it listens.');
  // One order after the other: each has one reply.
  let before: Promise<unknown> = Promise.resolve();
  const order = (what: Order) => {
    const doing = before.then(async () => {
      const reply = nextTold(server);
      server.send(what);
      return (await reply) as State;
    });
    before = doing.catch(() => {});
    return doing;
  };
  return {
    url: told.url,
    order,
    async kill() {
      server.kill('SIGKILL');
      await gone;
    },
  };
}

async function nextTold(server: ChildProcess): Promise<Told> {
  const [told] = (await once(server, 'message', { signal: AbortSignal.timeout(60_000) })) as [Told];
  return told;
}
