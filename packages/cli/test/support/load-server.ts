// A server of the Model Context Protocol in a process of its own, for tests of load and of kills. It does what it is told, and tells
// what it holds and what is left.

import { createApp, Hall, listen, MemorySessions, mcp } from '@ai-agent/server';
import { defaultPorts } from '../../src/platform.ts';
import { collectGarbage } from './collect-garbage.ts';
import { type Calls, EchoTeam } from './echo-team.ts';

/** What it is told: `hold` every word that comes, let those `go` and hold no more, `forget` what was called off. */
export type Order = 'hold' | 'go' | 'forget' | 'state' | 'collect';

/** What it tells: the first once, the second after every order. */
export type Told = { readonly url: string } | State;

export interface State extends Calls {
  /** Runs, places and sockets that are in use. */
  readonly running: number;
  readonly places: number;
  readonly sockets: number;
  readonly timers: number;
  /** After collections, when it was told to collect. */
  readonly heapBytes: number;
  /** Sessions that have ended since the last `collect`: those that completed, and all others. */
  readonly completed: number;
  readonly others: number;
  /** What nobody foresaw. */
  readonly bugs: readonly string[];
}

/** Far fewer than come at once: what is kept on purpose is reached in the first round, and hides nothing. */
const maxSessions = 20;

if (process.send) await serve(Number(process.argv[2]));

async function serve(port: number): Promise<void> {
  const team = new EchoTeam();
  const bugs: string[] = [];
  let ended = { completed: 0, others: 0 };
  const { agent } = team;
  const hall = new Hall({
    agents: () => [{ name: agent.name, agent }],
    ports: defaultPorts(),
    places: { mcp: { running: 500, waiting: 0 } },
    store: new MemorySessions({ maxSessions }),
    onEnd: (_head, outcome) => void ended[outcome?.status === 'completed' ? 'completed' : 'others']++,
    onBug: (error) => bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  const { url } = await listen(createApp(hall, [mcp({ pingMs: 4_000, sessions: { graceMs: 1_000, idleMs: 5_000 } })]), {
    port,
    stallMs: 3_000,
    keepAliveTimeoutMs: 2_000,
  });
  const count = (name: string) => process.getActiveResourcesInfo().filter((one) => one === name).length;
  const state = (): State => ({
    ...team.calls,
    running: hall.running,
    places: hall.placesOf('mcp').running,
    sockets: count('TCPSocketWrap'),
    timers: count('Timeout'),
    heapBytes: process.memoryUsage().heapUsed,
    ...ended,
    bugs,
  });
  const orders: Readonly<Record<Order, () => void | Promise<void>>> = {
    hold() {
      team.isHeld = () => true;
    },
    go() {
      team.isHeld = () => false;
      team.letGo();
    },
    forget: () => team.forget(),
    state: () => {},
    async collect() {
      await collectGarbage();
    },
  };
  process.on('message', async (order: Order) => {
    await orders[order]();
    tell(state());
    if (order === 'collect') ended = { completed: 0, others: 0 };
  });
  process.once('disconnect', () => process.exit());
  tell({ url });
}

function tell(told: Told): void {
  process.send?.(told);
}
