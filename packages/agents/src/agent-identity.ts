// Identity of an agent file: its id and path come from the path relative to the folder of the team, and the team is a hash of that
// folder. Absolute paths stay in the process.

import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { type Agent, hash } from '@ai-agent/core';
import type { Draft } from './read-draft.ts';

export function toIdentity({ file, name }: Draft, teamFolder: string): Required<Pick<Agent, 'id' | 'path' | 'team'>> {
  const below = toSlashes(relative(teamFolder, file));
  // Two hashes of 32 bits instead of node:crypto, which most runs never load.
  const id = `${hash(below)}${hash(`/${below}`)}`;
  const path = toSlashes(join(dirname(below), name));
  // Outside the team's folder, only the last folder and the name are shown.
  const isOutside = below.startsWith('..') || isAbsolute(below);
  return { id, path: isOutside ? path.split('/').slice(-2).join('/') : path, team: hash(teamFolder) };
}

/** The deepest folder that all of these are in. */
export function commonFolder(folders: readonly string[]): string {
  const [first = '', ...others] = folders;
  const parts = first.split(sep);
  const isShared = (count: number) => {
    const start = [...parts.slice(0, count), ''].join(sep);
    return others.every((folder) => `${folder}${sep}`.startsWith(start));
  };
  let count = parts.length;
  while (!isShared(count)) count--;
  return parts.slice(0, count).join(sep) || sep;
}

function toSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}
