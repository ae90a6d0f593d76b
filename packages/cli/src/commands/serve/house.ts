// One hall, and everything behind which it is found: ports, and the streams of the process.

import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { defaultPlaces, Hall, loadMcpOver, type OverStreams, type ServedAgent, serveMcpOver } from '@ai-agent/server';
import type { Slack } from '@ai-agent/slack';
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
  /** Undefined when nobody is served there. */
  readonly slack: Slack | undefined;
  /** Ends what headends keep open, when no run is left. */
  close(): Promise<void>;
}

export interface HouseOptions extends DoorsOptions {
  readonly agents: () => readonly ServedAgent[];
  /** Where the protocol is spoken on the streams of the process. */
  readonly stdout?: Writable | undefined;
  /** Loading goes on while it is opened. @default sessions are in memory */
  readonly store: Promise<Store | undefined>;
}

/** Throws when nobody may or can listen there, or Slack refuses; then nobody listens anywhere. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const { setUp, log, stdout } = options;
  // The thread of the store starts first, then both go on beside each other.
  await setImmediate();
  const [store, loaded, slackPlace, ofKeys] = await Promise.all([
    options.store,
    isListening(options) ? import('./doors.ts') : undefined,
    setUp.slack && import('./slack-place.ts'),
    setUp.keys && import('./keys-of-server.ts'),
    stdout && loadMcpOver(),
  ]);
  const hall = toHall(options, store);
  const keys = setUp.keys && ofKeys?.toKeys(setUp.keys);
  const inSlack = slackPlace?.toSlackPlace({ ...options, keys });
  const doors = loaded ? await loaded.openDoors(hall, { ...options, keys, others: inSlack?.headends ?? [] }) : noDoors;
  const slack = await orClosed(doors, async () => inSlack?.open(hall, doors.all));
  const onProblem = (said: string) => log.fail(said);
  const { mcpPrompts: prompts = true } = setUp;
  const streams =
    stdout && (await serveMcpOver(hall, { input: process.stdin, output: stdout, version, prompts, onProblem }));
  return {
    hall,
    doors: doors.all,
    hasKeys: setUp.keys !== undefined,
    streams,
    slack,
    async close() {
      await Promise.allSettled([streams?.close(), slack?.close(), doors.close()]);
    },
  };
}

function toHall(options: HouseOptions, store: Store | undefined): Hall {
  const { agents, log } = options;
  const { pauses: _inMemory, ...ports } = defaultPorts();
  return new Hall({
    agents,
    // Questions are where sessions are.
    ...(store ? { ports, store } : { ports: defaultPorts() }),
    places: toPlaces(options),
    onEnd: log.ended,
    // What goes wrong with the store is told by who watches it.
    onBug: (error) => (isOfStore(error) ? undefined : log.bug(error)),
  });
}

/** Whoever came by a port meanwhile is cut off. */
async function orClosed<T>(doors: Doors, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await doors.close();
    await Promise.all(doors.all.map(({ listening }) => listening.close(0)));
    throw error;
  }
}

const noDoors: Doors = { all: [], close: async () => {} };

function isListening({ settings: { alonePorts, embedPorts, mcpPorts }, setUp: { port } }: HouseOptions): boolean {
  return port !== undefined || alonePorts.length > 0 || embedPorts.length > 0 || mcpPorts.length > 0;
}

function toPlaces({ settings, setUp }: HouseOptions) {
  const { concurrency = defaultPlaces.running, waiting = defaultPlaces.waiting } = setUp;
  const { ownConcurrency, embedPorts } = settings;
  const { rest = concurrency, openai = concurrency, anthropic = concurrency } = ownConcurrency;
  const { embed = concurrency } = ownConcurrency;
  const profiles = embedPorts.map(({ name }) => {
    const running = setUp.embed[name]?.concurrency ?? embed;
    return [`embed:${name}`, { running, waiting }] as const;
  });
  return {
    rest: { running: rest, waiting },
    mcp: { running: concurrency, waiting },
    openai: { running: openai, waiting },
    anthropic: { running: anthropic, waiting },
    embed: { running: embed, waiting },
    slack: { running: setUp.slack?.concurrency ?? concurrency, waiting },
    ...Object.fromEntries(profiles),
  };
}
