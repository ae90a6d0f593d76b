// The ports of a server: on one all headends, on others one alone, or the streams of the process; and one hall behind all of them.

import type { Writable } from 'node:stream';
import {
  createApp,
  defaultPlaces,
  Hall,
  type Headend,
  Keys,
  type Listening,
  listen,
  type McpTransport,
  mayListen,
  mcp,
  type OverStreams,
  rest,
  type ServedAgent,
  serveMcpOver,
} from '@ai-agent/server';
import { defaultPorts, systemClock } from '../../platform.ts';
import { version } from '../../version.ts';
import type { ServeSettings } from './serve-settings.ts';
import type { ServerLog } from './server-log.ts';
import type { SetUp } from './set-up.ts';

export interface House {
  readonly hall: Hall;
  readonly doors: readonly Door[];
  readonly hasKeys: boolean;
  /** Whoever is at the streams of the process; undefined when nobody is served there. */
  readonly streams: OverStreams | undefined;
  /** Ends what headends keep open, when no run is left. */
  close(): Promise<void>;
}

export interface Door {
  readonly listening: Listening;
  /** Undefined where all are. */
  readonly headend: 'rest' | McpTransport | undefined;
}

export interface HouseOptions {
  readonly settings: ServeSettings;
  readonly setUp: SetUp;
  readonly agents: () => readonly ServedAgent[];
  readonly log: ServerLog;
  /** Where the protocol is spoken on the streams of the process. */
  readonly stdout?: Writable | undefined;
}

/** Throws when nobody may or can listen there; then nobody listens anywhere. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const { settings, setUp, agents, log, stdout } = options;
  const { keys: keySettings, host, port } = setUp;
  const hasKeys = keySettings !== undefined;
  const isListening = port !== undefined || settings.apiPorts.length > 0 || settings.mcpPorts.length > 0;
  if (isListening) mayListen({ host, hasKeys, isPlainlyOpen: settings.isPlainlyOpen });
  const hall = new Hall({
    agents,
    ports: defaultPorts(),
    places: toPlaces(options),
    onEnd: log.ended,
    onBug: log.bug,
  });
  const keys = keySettings ? new Keys(keySettings, systemClock) : undefined;
  const opened: Door[] = [];
  const mounted: Headend[] = [];
  const open = async (onPort: number, headends: readonly Headend[], headend?: Door['headend']) => {
    const { cors, hosts } = setUp;
    const onRefused = settings.detail === 'all' ? log.refused : undefined;
    const app = createApp(hall, headends, { keys, cors, hosts, host, onRefused });
    mounted.push(...headends);
    const listening = await listen(app, { host, port: onPort, onBug: log.bug });
    opened.push({ listening, headend });
  };
  try {
    if (port !== undefined) await open(port, toHeadends(setUp));
    for (const own of settings.apiPorts) await open(own, [toRest(setUp)], 'rest');
    for (const { transport, port: own } of settings.mcpPorts) await open(own, [toMcp(setUp, [transport])], transport);
  } catch (error) {
    await Promise.all(opened.map(({ listening }) => listening.close(0)));
    throw error;
  }
  const streams =
    stdout &&
    (await serveMcpOver(hall, { input: process.stdin, output: stdout, version, onProblem: (said) => log.fail(said) }));
  return {
    hall,
    doors: opened,
    hasKeys,
    streams,
    async close() {
      await Promise.allSettled([streams?.close(), ...mounted.map((headend) => headend.close?.())]);
    },
  };
}

/** Every headend there is, beside each other. */
function toHeadends(setUp: SetUp): readonly Headend[] {
  return [toRest(setUp), toMcp(setUp)];
}

function toRest({ maxBodyBytes }: SetUp): Headend {
  return rest(maxBodyBytes === undefined ? {} : { maxBodyBytes });
}

function toMcp({ maxBodyBytes }: SetUp, transports?: readonly McpTransport[]): Headend {
  return mcp({
    version,
    ...(transports ? { transports } : {}),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  });
}

function toPlaces({ settings, setUp }: HouseOptions) {
  const { concurrency = defaultPlaces.running, waiting = defaultPlaces.waiting } = setUp;
  return { rest: { running: settings.apiConcurrency ?? concurrency, waiting }, mcp: { running: concurrency, waiting } };
}
