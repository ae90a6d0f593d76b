// The section `embed`: what ports for chats in pages are for, by their names. Whatever is wrong with one that is started stops the server.

import type { Place, Problem } from '../problem.ts';
import { Problems } from '../problem.ts';
import type { World } from '../world.ts';
import { ConfigFiles } from './config-file.ts';
import { ConfigProblems } from './config-problems.ts';
import { openConfiguration } from './configuration.ts';
import { placeWithin, toMissing } from './entry.ts';
import { fillAt } from './fill-at.ts';
import { embed } from './headend-shape.ts';

export interface EmbedSettings {
  /** Names of agents, globs, or files of them as older configurations have them. */
  readonly allowedAgents?: readonly string[];
  readonly concurrency?: number;
  /** Origins of pages, with `*` for any letters. */
  readonly corsOrigins?: readonly string[];
  readonly rateLimit?: {
    readonly enabled?: boolean;
    readonly requestsPerMinute?: number;
    readonly burstSize?: number;
  };
  /** Of another vendor: it is read, and nothing comes of it. */
  readonly auth?: unknown;
  readonly metrics?: { readonly enabled?: boolean; readonly path?: string };
}

export interface ReadEmbed {
  /** By name. To be used only where no problem is an error. */
  readonly profiles: Readonly<Record<string, EmbedSettings>>;
  readonly problems: readonly Problem[];
}

type Places = Pick<World, 'cwd' | 'env' | 'homeFolder' | 'systemFolder' | 'configFile'>;

export interface Wanted {
  /** Of the agents that are served. */
  readonly folders: readonly string[];
  /** The profiles that somebody starts. */
  readonly names: readonly string[];
}

/** Never throws for what a file says. */
export function readEmbedSettings(world: Places, { folders, names }: Wanted): ReadEmbed {
  const problems = new Problems();
  const files = new ConfigFiles(new Problems());
  const { env: environment, ...places } = world;
  const around = folders.length === 0 ? [world.cwd] : [...new Set(folders)];
  const sections = around
    .map((agentFolder) =>
      openConfiguration({ ...places, agentFolder, environment, isServer: true }, files).section('embed'),
    )
    .filter((one) => one !== undefined);
  const [section] = sections;
  const other = sections.find(({ file }) => file !== section?.file);
  if (section && other)
    problems.error('key-conflict', placeWithin(other, ['embed'], []), `${section.file} has another; keep one of them`);
  const place: Place = section ? placeWithin(section, ['embed'], []) : { file: '.ai-agent.json', key: 'embed' };
  if (section && section.missing.length > 0) problems.error('secret-missing', place, toMissing(section.missing));
  const at = section && fillAt(section.at, section.variables);
  const read = at ? (embed.read({ at, place, problems: new ConfigProblems(problems) }) as ReadEmbed['profiles']) : {};
  const unknown = names.find((name) => !Object.hasOwn(read ?? {}, name));
  if (unknown !== undefined)
    problems.error('config-invalid', place, `has no ${unknown}; ${toAdd(unknown, Object.keys(read ?? {}))}`);
  return { profiles: read ?? {}, problems: problems.all };
}

/** As it would stand in the file. */
function toAdd(name: string, known: readonly string[]): string {
  const entry = `add "embed": { ${JSON.stringify(name)}: {} }`;
  return known.length === 0 ? entry : `${entry}, or name one that is there: ${known.join(', ')}`;
}
