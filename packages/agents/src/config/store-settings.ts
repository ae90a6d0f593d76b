// The section `store`: where sessions are kept, and for how long.

import { isTrue, text } from '../options/kinds.ts';
import { Problems } from '../problem.ts';
import type { World } from '../world.ts';
import { ConfigFiles } from './config-file.ts';
import { size } from './config-kinds.ts';
import { type Configuration, openConfiguration } from './configuration.ts';
import { type Piece, placeWithin } from './entry.ts';
import { pathIn } from './path-in.ts';
import { age } from './store-shape.ts';
import { fillVariables } from './variables.ts';

export interface StoreSettings {
  /** Whether sessions are kept at all, as far as the configuration says. */
  readonly isOn: boolean;
  /** A path, or an address, its password included. @default the usual place */
  readonly where?: string;
  readonly maxAgeMs?: number;
  readonly maxBytes?: number;
}

/** A place that the section names and that cannot be known is no reason for another: then nothing is kept. */
export function storeSettingsOf(configuration: Configuration, homeFolder: string | undefined): StoreSettings {
  const section = configuration.section('store');
  if (!section) return { isOn: true };
  const { path, url, maxAge, maxSize } = section.value;
  const filled = (value: unknown) => fillVariables(value, section.variables);
  const address = text.parse(filled(url))?.trim();
  const named = address === undefined || address === '' ? pathIn(section, path, homeFolder) : address;
  const maxAgeMs = age.parse(filled(maxAge));
  const maxBytes = size.parse(filled(maxSize));
  const isKnown = named !== undefined || (url === undefined && path === undefined);
  return {
    isOn: !isOff(section) && isKnown && lacking(section).length === 0,
    ...(named === undefined ? {} : { where: named }),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** What variables hold is not shown. */
export function tellOfStore(configuration: Configuration, problems: Problems): void {
  const section = configuration.section('store');
  if (!section) return;
  const tell = (key: string, message: string, remedy: string) =>
    problems.add('warning', { code: 'key-idle', place: placeWithin(section, ['store'], [key]), message, remedy });
  const { path, url } = section.value;
  if (path !== undefined && url !== undefined)
    tell('path', 'is not used: sessions are kept at store.url', 'Leave out one of path and url.');
  const missing = lacking(section);
  if (missing.length > 0)
    tell(
      url === undefined ? 'path' : 'url',
      `nobody defines ${missing.join(', ')}; sessions are not kept`,
      'Define the variable, or write the value itself.',
    );
}

type Places = Pick<World, 'cwd' | 'env' | 'homeFolder' | 'systemFolder' | 'configFile'>;

export interface ReadStoreSettings extends StoreSettings {
  /** Where the section is. Missing where there is none. */
  readonly file?: string;
  /** Variables that nobody defines, and that the place needs. */
  readonly missing: readonly string[];
  /** Whether somebody wants nothing to be kept. */
  readonly isSwitchedOff: boolean;
  readonly problems: Problems['all'];
}

/** What holds for agents of this folder, without loading any. */
export function readStoreSettings(world: Places, folder: string): ReadStoreSettings {
  const problems = new Problems();
  const { env: environment, ...places } = world;
  const configuration = openConfiguration({ ...places, agentFolder: folder, environment }, new ConfigFiles(problems));
  tellOwn(configuration, problems);
  tellOfStore(configuration, problems);
  const section = configuration.section('store');
  const settings = storeSettingsOf(configuration, world.homeFolder);
  return {
    ...settings,
    ...(section?.file === undefined ? {} : { file: section.file }),
    missing: section ? lacking(section) : [],
    isSwitchedOff: section !== undefined && isOff(section),
    problems: problems.all,
  };
}

/** What is wrong with other sections is for those who load agents. */
function tellOwn(configuration: Configuration, problems: Problems): void {
  const all = new Problems();
  configuration.check(all);
  for (const { severity, code, file, line, key, message, remedy } of all.all) {
    if (key === undefined || !/^store(?:\.|$)/.test(key)) continue;
    const place = { file, key, ...(line === undefined ? {} : { line }) };
    problems.add(severity, { code, place, message, remedy });
  }
}

function isOff({ value: { enabled }, variables }: Piece): boolean {
  return isTrue.parse(fillVariables(enabled, variables)) === false;
}

/** Names of variables that nobody defines, where the place needs them. */
function lacking({ missing, value: { path, url } }: Piece): readonly string[] {
  const place = String(url ?? path ?? '');
  return missing.filter((name) => place.includes(`\${${name}}`));
}
