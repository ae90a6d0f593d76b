// A server in a process of its own, for tests of load. Its offline model waits after a few pieces until it is told to go on,
// then gives one at a time. It says where it listens, and what is left when it is asked.

import { offlineDemo } from '../../src/index.ts';
import { MemorySessions, serveAgents } from '../../src/server.ts';
import { collectGarbage } from './collect-garbage.ts';

/** What it is told. */
export type Order = 'go' | 'hold' | 'collect';

/** What it tells: the first once, the second after each `collect`. */
export type Told = { readonly url: string } | Left;

export interface Left {
  /** After collections. */
  readonly heapBytes: number;
  readonly sockets: number;
  /** Sessions that have ended since the last time: those that completed, and all others. */
  readonly completed: number;
  readonly others: number;
}

/** Pieces that each stream gets before it is held; one or two of them may be on their way still. */
const piecesBefore = 5;

/** Far fewer than come at once: what is kept on purpose is reached in the first round, and hides nothing. */
const maxSessions = 100;

if (process.send) await serve(Number(process.argv[2]));

async function serve(concurrency: number): Promise<void> {
  let gate = Promise.withResolvers<void>();
  let ended = { completed: 0, others: 0 };
  const given = new WeakMap<AbortSignal, number>();
  const pace = async (signal: AbortSignal) => {
    const count = given.get(signal) ?? 0;
    given.set(signal, count + 1);
    // Whatever else happens comes between two pieces: each is written by itself.
    await new Promise(setImmediate);
    if (count === piecesBefore) await gate.promise;
  };
  const { url } = await serveAgents({
    agents: [{ name: 'teller', instructions: 'Tell what happened.', model: offlineDemo({ pace }) }],
    port: 0,
    concurrency,
    waiting: 0,
    store: new MemorySessions({ maxSessions }),
    onEnd(_head, outcome) {
      ended[outcome?.status === 'completed' ? 'completed' : 'others']++;
    },
  });
  const tellLeft = async () => {
    await collectGarbage();
    const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    tell({ heapBytes: process.memoryUsage().heapUsed, sockets, ...ended });
    ended = { completed: 0, others: 0 };
  };
  process.on('message', (order: Order) => {
    if (order === 'go') gate.resolve();
    if (order === 'hold') gate = Promise.withResolvers();
    if (order === 'collect') void tellLeft();
  });
  process.once('disconnect', () => process.exit());
  tell({ url });
}

function tell(told: Told): void {
  process.send?.(told);
}
