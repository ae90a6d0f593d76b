// One hall, and everything behind which it is found: ports, and the streams of the process.

import type { Writable } from 'node:stream';
import { defaultPlaces, Hall, type OverStreams, type ServedAgent, serveMcpOver } from '@ai-agent/server';
import type { Store } from '@ai-agent/store';
import { defaultPorts } from '../../platform.ts';
import { version } from '../../version.ts';
import type { Door, Doors, DoorsOptions } from './doors.ts';
import { isOfStore } from './watched-store.ts';

export interface House {
  readonly hall: Hall;
  readonly doors: readonly Door[];
  readonly hasKeys: boolean;
  /** Whoever is at the streams of the process; undefined when nobody is served there. */
  readonly streams: OverStreams | undefined;
  /** Ends what headends keep open, when no run is left. */
  close(): Promise<void>;
}

export interface HouseOptions extends DoorsOptions {
  readonly agents: () => readonly ServedAgent[];
  /** Where the protocol is spoken on the streams of the process. */
  readonly stdout?: Writable | undefined;
  /** @default sessions are in memory */
  readonly store?: Store | undefined;
}

/** Throws when nobody may or can listen there; then nobody listens anywhere. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const { setUp, agents, log, stdout, store } = options;
  const { pauses: _inMemory, ...ports } = defaultPorts();
  const hall = new Hall({
    agents,
    // Questions are where sessions are.
    ...(store ? { ports, store } : { ports: defaultPorts() }),
    places: toPlaces(options),
    onEnd: log.ended,
    // What goes wrong with the store is told by who watches it.
    onBug: (error) => (isOfStore(error) ? undefined : log.bug(error)),
  });
  const doors = isListening(options) ? await (await import('./doors.ts')).openDoors(hall, options) : noDoors;
  const onProblem = (said: string) => log.fail(said);
  const { mcpPrompts: prompts = true } = setUp;
  const streams =
    stdout && (await serveMcpOver(hall, { input: process.stdin, output: stdout, version, prompts, onProblem }));
  return {
    hall,
    doors: doors.all,
    hasKeys: setUp.keys !== undefined,
    streams,
    async close() {
      await Promise.allSettled([streams?.close(), doors.close()]);
    },
  };
}

const noDoors: Doors = { all: [], close: async () => {} };

function isListening({ settings: { alonePorts, mcpPorts }, setUp: { port } }: HouseOptions): boolean {
  return port !== undefined || alonePorts.length > 0 || mcpPorts.length > 0;
}

function toPlaces({ settings, setUp }: HouseOptions) {
  const { concurrency = defaultPlaces.running, waiting = defaultPlaces.waiting } = setUp;
  const { rest = concurrency, openai = concurrency, anthropic = concurrency } = settings.ownConcurrency;
  return {
    rest: { running: rest, waiting },
    mcp: { running: concurrency, waiting },
    openai: { running: openai, waiting },
    anthropic: { running: anthropic, waiting },
  };
}
