// Where a command keeps sessions: what flags say, then the configuration, then the home of the user.

import { join, resolve } from 'node:path';
import type { StoreSettings } from '@ai-agent/agents';
import type { Retention } from '@ai-agent/store';
import { flagValue, type Misuse, type Words } from './arguments.ts';

export interface StoreChoice {
  /** An absolute path, or an address, its password included. */
  readonly where: string;
  /** Whether it is the place where everybody looks who names none. */
  readonly isUsual: boolean;
  readonly retention: Retention;
}

export interface Surroundings {
  readonly cwd: string;
  readonly homeFolder: string | undefined;
}

/** What is wrong with the flags themselves; undefined when nothing is. */
export function misusedStore(words: Words): Misuse | undefined {
  const place = flagValue(words, '--store');
  if (place === undefined) return undefined;
  if (flagValue(words, '--no-store') !== undefined) return { problem: 'Choose one of --store and --no-store.' };
  if (place.trim() === '') return { problem: '--store needs a path, or a postgres:// address.' };
  const [kind] = addressStart.exec(place.trim()) ?? [];
  if (kind === undefined || /^postgres(?:ql)?:/i.test(kind)) return undefined;
  return { problem: `--store takes a path, or a postgres:// address; an address that begins with ${kind} is neither.` };
}

/** Undefined when nothing is to be kept, or there is no place for it. */
export function chooseStore(
  words: Words,
  settings: StoreSettings,
  { cwd, homeFolder }: Surroundings,
): StoreChoice | undefined {
  if (flagValue(words, '--no-store') !== undefined) return undefined;
  const { isOn, maxAgeMs, maxBytes } = settings;
  const retention = {
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
  const usual = homeFolder === undefined ? undefined : join(homeFolder, '.ai-agent', 'sessions.sqlite');
  const named = flagValue(words, '--store');
  const said = named === undefined ? settings.where : toPlace(named.trim(), cwd);
  const where = said ?? usual;
  if (where === undefined || (named === undefined && !isOn)) return undefined;
  return { where, isUsual: where === usual, retention };
}

export function isAddress(place: string): boolean {
  return addressStart.test(place);
}

const addressStart = /^[a-z][a-z\d+.-]+:\/\//i;

function toPlace(said: string, cwd: string): string {
  return isAddress(said) ? said : resolve(cwd, said);
}

/** For people: an address without its password. */
export function placeInWords(where: string): string {
  if (!isAddress(where)) return where;
  const url = URL.parse(where);
  // A sign in a password that should have been written otherwise makes a path, or something else, of what follows.
  const isBroken = !url || [url.pathname, url.hash, ...url.searchParams.keys()].some((part) => part.includes('@'));
  if (isBroken) return where.replace(/\/\/.*@/s, '//');
  url.password = '';
  for (const name of [...url.searchParams.keys()]) if (/pass|secret|key/i.test(name)) url.searchParams.delete(name);
  return url.href;
}
