// The ports of a server: on one all headends, on others one alone, and one hall behind all of them.

import {
  createApp,
  defaultPlaces,
  Hall,
  type Headend,
  Keys,
  type Listening,
  listen,
  mayListen,
  mcp,
  rest,
  type ServedAgent,
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
  /** Ends what headends keep open, when no run is left. */
  close(): Promise<void>;
}

export interface Door {
  readonly listening: Listening;
  /** Undefined where all are. */
  readonly headend: string | undefined;
}

export interface HouseOptions {
  readonly settings: ServeSettings;
  readonly setUp: SetUp;
  readonly agents: () => readonly ServedAgent[];
  readonly log: ServerLog;
}

/** Throws when nobody may or can listen there; then nobody listens anywhere. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const { settings, setUp, agents, log } = options;
  const { keys: keySettings, host, port } = setUp;
  const hasKeys = keySettings !== undefined;
  mayListen({ host, hasKeys, isPlainlyOpen: settings.isPlainlyOpen });
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
  const open = async (onPort: number, headends: readonly Headend[], headend?: string) => {
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
  } catch (error) {
    await Promise.all(opened.map(({ listening }) => listening.close(0)));
    throw error;
  }
  return {
    hall,
    doors: opened,
    hasKeys,
    async close() {
      await Promise.allSettled(mounted.map((headend) => headend.close?.()));
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

function toMcp({ maxBodyBytes, mcpPrompts: prompts = true }: SetUp): Headend {
  return mcp({ version, prompts, ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }) });
}

function toPlaces({ settings, setUp }: HouseOptions) {
  const { concurrency = defaultPlaces.running, waiting = defaultPlaces.waiting } = setUp;
  return { rest: { running: settings.apiConcurrency ?? concurrency, waiting }, mcp: { running: concurrency, waiting } };
}
