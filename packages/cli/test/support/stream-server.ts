// A server in a process of its own, for tests of load: its offline model waits after a few pieces until it is told to go on,
// then gives a piece at a time. It says where it listens, and what is on its heap when it is asked.

import { createApp, Hall, listen, MemorySessions, rest } from '@ai-agent/server';
import { offlineDemo } from '../../src/index.ts';
import { defaultPorts } from '../../src/platform.ts';

/** What it is told. */
export type Order = 'go' | 'hold' | 'collect';

/** What it tells: the first once, the second after each `collect`. */
export type Told = { readonly url: string } | Left;

/** What is left when nobody asks any more. */
export interface Left {
  readonly heapBytes: number;
  readonly running: number;
  readonly sockets: number;
}

/** Pieces that each stream gets before it is held. */
export const piecesBefore = 5;

/** Far fewer than come at once, so that what is kept on purpose is reached early and hides nothing. */
const maxSessions = 100;

if (process.send) await serve(Number(process.argv[2]));

async function serve(running: number): Promise<void> {
  let gate = Promise.withResolvers<void>();
  const given = new WeakMap<AbortSignal, number>();
  const pace = async (signal: AbortSignal) => {
    const count = given.get(signal) ?? 0;
    given.set(signal, count + 1);
    // One loop of events: what others have to say comes between.
    await new Promise(setImmediate);
    if (count === piecesBefore) await gate.promise;
  };
  const agent = { name: 'teller', instructions: 'Tell what happened.', model: offlineDemo({ pace }) };
  const hall = new Hall({
    agents: () => [{ name: 'teller', agent }],
    ports: defaultPorts(),
    places: { rest: { running, waiting: 0 } },
    store: new MemorySessions({ maxSessions }),
  });
  const { url } = await listen(createApp(hall, [rest()]), { port: 0 });
  process.on('message', async (order: Order) => {
    if (order === 'go') gate.resolve();
    if (order === 'hold') gate = Promise.withResolvers();
    if (order === 'collect') tell(await collect(hall));
  });
  process.once('disconnect', () => process.exit());
  tell({ url });
}

function tell(told: Told): void {
  process.send?.(told);
}

async function collect(hall: Hall): Promise<Left> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  return { heapBytes: process.memoryUsage().heapUsed, running: hall.running, sockets };
}
