// The ports of a server: on one all headends, on others one alone. Loaded where it listens at all: all of HTTP comes with it.

import {
  type AppOptions,
  anthropic,
  createApp,
  embed,
  type Hall,
  type Headend,
  type Keys,
  type Listening,
  listen,
  type McpTransport,
  mayListen,
  mcp,
  openai,
  rest,
  site,
} from '@ai-agent/server';
import { version } from '../../version.ts';
import { findWebFiles } from '../../web-files.ts';
import type { AloneHeadend } from './alone-ports.ts';
import { originsOf, toEmbedProfile } from './embed-places.ts';
import type { ServeSettings } from './serve-settings.ts';
import type { ServerLog } from './server-log.ts';
import type { SetUp } from './set-up.ts';

export interface Doors {
  readonly all: readonly Door[];
  /** Ends what headends keep open, when no run is left. */
  close(): Promise<void>;
}

export interface Door {
  readonly listening: Listening;
  /** Undefined where all are. */
  readonly headend: AloneHeadend | McpTransport | 'embed' | undefined;
}

export interface DoorsOptions {
  readonly settings: ServeSettings;
  readonly setUp: SetUp;
  readonly log: ServerLog;
}

export interface Within extends DoorsOptions {
  /** Of all doors. */
  readonly keys: Keys | undefined;
  /** Beside those that every server has. */
  readonly others: readonly Headend[];
}

/** Throws when nobody may or can listen there; then nobody listens anywhere. */
export async function openDoors(hall: Hall, { settings, setUp, log, keys, others }: Within): Promise<Doors> {
  const { host, port, cors, hosts } = setUp;
  mayListen({ host, hasKeys: keys !== undefined, isPlainlyOpen: settings.isPlainlyOpen });
  const all: Door[] = [];
  const mounted: Headend[] = [];
  const open = async (onPort: number, headends: readonly Headend[], { headend, patterns }: Alone = {}) => {
    const onRefused = settings.detail === 'all' ? log.refused : undefined;
    const app = createApp(hall, headends, { keys, cors, patterns, hosts, host, onRefused });
    mounted.push(...headends);
    const listening = await listen(app, { host, port: onPort, onBug: log.bug });
    all.push({ listening, headend });
  };
  try {
    if (port !== undefined) await open(port, [...toAll(setUp), ...others]);
    for (const { headend, port: own } of settings.alonePorts) await open(own, [toAlone[headend](setUp)], { headend });
    for (const { transport, port: own } of settings.mcpPorts)
      await open(own, [toMcp(setUp, [transport])], { headend: transport });
    for (const { name, port: own } of settings.embedPorts)
      await open(own, [toEmbed(setUp, name)], embedAt(setUp, name));
  } catch (error) {
    await Promise.all(all.map(({ listening }) => listening.close(0)));
    throw error;
  }
  return {
    all,
    async close() {
      await Promise.allSettled(mounted.map((headend) => headend.close?.()));
    },
  };
}

interface Alone extends Pick<AppOptions, 'patterns'> {
  readonly headend?: Door['headend'];
}

function toEmbed(setUp: SetUp, name: string): Headend {
  return embed({ ...toBodies(setUp), profile: toEmbedProfile(name, setUp.embed[name] ?? {}) });
}

function embedAt({ embed: profiles, host }: SetUp, name: string): Alone {
  return { headend: 'embed', patterns: originsOf(profiles[name] ?? {}, host) };
}

function toAll(setUp: SetUp): readonly Headend[] {
  const models = toModelOptions(setUp);
  const page = findWebFiles();
  return [
    ...(page ? [site(page)] : []),
    rest({ ...toBodies(setUp), hasModels: true }),
    toMcp(setUp),
    embed(toBodies(setUp)),
    openai(models),
    anthropic(models),
  ];
}

const toAlone: Readonly<Record<AloneHeadend, (setUp: SetUp) => Headend>> = {
  rest: (setUp) => rest(toBodies(setUp)),
  openai: (setUp) => openai({ ...toModelOptions(setUp), isAlone: true }),
  anthropic: (setUp) => anthropic({ ...toModelOptions(setUp), isAlone: true }),
};

/** Said by nobody, each headend has a bound of its own. */
function toBodies({ maxBodyBytes }: SetUp) {
  return maxBodyBytes === undefined ? {} : { maxBodyBytes };
}

function toModelOptions(setUp: SetUp) {
  return { ...toBodies(setUp), showsActivity: setUp.showActivity ?? false };
}

/** On a port of its own where transports are named. */
function toMcp(setUp: SetUp, transports?: readonly McpTransport[]): Headend {
  const { mcpPrompts: prompts = true } = setUp;
  return mcp({
    version,
    prompts,
    ...(transports ? { transports, isAlone: true } : {}),
    ...toBodies(setUp),
  });
}
