// The section `api`: how a server of the agents in some folders is set up. Whatever is wrong with it stops the server: a door that is not understood is no open door.

import { type Budget, isObject, narrower } from '@ai-agent/core';
import { type Problem, Problems, withoutRepeats } from '../problem.ts';
import type { World } from '../world.ts';
import { ConfigFiles } from './config-file.ts';
import { ConfigProblems } from './config-problems.ts';
import { openConfiguration } from './configuration.ts';
import { type Piece, placeWithin, toMissing } from './entry.ts';
import { fillAt } from './fill-at.ts';
import { hashOfKey } from './hash-of-key.ts';
import { api } from './headend-shape.ts';
import { keyWords, tellHidden, tellUnread, toDoubt } from './overlooked-keys.ts';
import { variablesIn } from './variables.ts';

export interface ApiSettings {
  readonly enabled?: boolean;
  readonly host?: string;
  readonly port?: number;
  /** By name, those of `bearerKeys` included. Missing where nobody wrote any. */
  readonly keys?: Readonly<Record<string, ApiKey>>;
  readonly cors?: readonly string[];
  readonly hosts?: readonly string[];
  readonly concurrency?: number;
  readonly waiting?: number;
  readonly maxBodyBytes?: number;
  readonly mcpPrompts?: boolean;
  readonly showActivity?: boolean;
  readonly graceMs?: number;
}

export interface ApiKey {
  readonly hash: string;
  readonly agents?: readonly string[];
  readonly budget?: Budget;
  readonly allowance?: { readonly tokens?: number; readonly costUsd?: number; readonly per: 'hour' | 'day' | 'month' };
  readonly requestsPerMinute?: number;
  readonly concurrency?: number;
  /** Where it is publishable: the origins of pages in which it may stand. */
  readonly origins?: readonly string[];
}

export interface ReadApi {
  /** To be used only where no problem is an error. */
  readonly settings: ApiSettings;
  readonly problems: readonly Problem[];
}

type Places = Pick<World, 'cwd' | 'env' | 'homeFolder' | 'systemFolder' | 'configFile'>;

/** `folders` are those of the agents that are served. Never throws for what a file says. */
export function readApiSettings(world: Places, folders: readonly string[] = []): ReadApi {
  const problems = new Problems();
  const files = new ConfigFiles(problems);
  const { env: environment, ...places } = world;
  const around = [...new Set([...folders, ...(folders.length === 0 ? [world.cwd] : [])])];
  const configurations = around.map((agentFolder) =>
    openConfiguration({ ...places, agentFolder, environment, isServer: true }, files),
  );
  for (const configuration of configurations) configuration.check(problems);
  const sections = configurations
    .map((configuration) => configuration.section('api'))
    .filter((one) => one !== undefined);
  for (const configuration of configurations) tellHidden(configuration, problems);
  const [section] = sections;
  const other = sections.find(({ file }) => file !== section?.file);
  if (section && other)
    problems.error(
      'key-conflict',
      placeWithin(other, ['api'], []),
      `one server has one set-up, and ${section.file} has another; keep one of them, or name one with --config`,
    );
  const settings = section ? readSection(section, problems) : {};
  if (!settings.keys) tellUnread({ folders: [world.cwd, ...around], configurations, files }, problems);
  return { settings, problems: withoutRepeats(problems.all.map((one) => toDoubt(one, settings.keys !== undefined))) };
}

function readSection(section: Piece, problems: Problems): ApiSettings {
  const errors = problems.errorCount;
  const { at, missing, variables } = section;
  for (const word of keyWords)
    if (isObject(at.value) && at.value[word] === null)
      problems.error('config-invalid', placeWithin(section, ['api'], [word]), 'is null; add a key, or leave it out');
  if (missing.length > 0) problems.error('secret-missing', placeWithin(section, ['api'], []), toMissing(missing));
  if (problems.errorCount > errors) return {};
  const filled = fillAt(at, variables);
  const read = readFilled({ ...section, at: filled }, problems) as Read;
  const { keys: _keys, bearerKeys: _bearerKeys, ...settings } = read;
  const keys = toKeys(read, section, problems);
  if (settings.cors?.includes('*') && !keys)
    problems.error('config-invalid', placeWithin(section, ['api'], ['cors']), 'may be * only where there are keys');
  return { ...settings, ...(keys ? { keys } : {}) };
}

interface Read extends Omit<ApiSettings, 'keys'> {
  readonly keys?: Readonly<Record<string, ReadKey>>;
  readonly bearerKeys?: readonly string[];
}

interface ReadKey extends Omit<ApiKey, 'budget'> {
  readonly budget?: Budget & { readonly time?: number };
}

/** What the check of the file has told is not told again; the rest comes of variables, and what they hold is not shown. */
function readFilled({ file, line, at }: Piece, problems: Problems): unknown {
  const found = new Problems();
  const place = { file, key: 'api', ...(line === undefined ? {} : { line }) };
  const read = api.read({ at, place, problems: new ConfigProblems(found) });
  const told = new Set(problems.all.map(({ key }) => key));
  for (const { severity, code, message, remedy, ...where } of found.all) {
    if (severity === 'warning' || told.has(where.key)) continue;
    const allowed = message.slice(message.lastIndexOf('must be '));
    problems.add('error', { code, place: where, message: `what its variable holds does not fit; ${allowed}`, remedy });
  }
  if (variablesIn(at.value).length > 0)
    problems.error('config-invalid', place, 'a variable of it holds the name of another; write the value itself');
  return read ?? {};
}

function toKeys({ keys, bearerKeys }: Read, section: Piece, problems: Problems): ApiSettings['keys'] {
  if (!keys && !bearerKeys) return undefined;
  const all: Record<string, ApiKey> = {};
  for (const [name, { budget, ...key }] of Object.entries(keys ?? {}))
    all[name] = { ...key, ...(budget ? { budget: toBudget(budget) } : {}) };
  const place = placeWithin(section, ['api'], ['bearerKeys']);
  for (const [index, key] of (bearerKeys ?? []).entries()) {
    const name = `bearer-${index + 1}`;
    const hash = hashOfKey(key);
    if (Object.hasOwn(all, name))
      problems.error('key-conflict', place, `${name} is the name of one in keys; rename that`);
    const same = Object.entries(all).find(([, one]) => one.hash === hash)?.[0];
    if (same !== undefined)
      problems.error('key-conflict', place, `number ${index + 1} is the key ${same}; keep one of them`);
    all[name] = { hash };
  }
  return all;
}

/** `time` as agent files say it. */
export function toBudget({ time, ...budget }: Budget & { readonly time?: number }): Budget {
  return time === undefined ? budget : narrower(budget, { timeMs: time });
}
