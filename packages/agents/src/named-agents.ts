// The files that an agent file names, each with what it is to be: found, and told of when they are not there.

import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { findAgentFiles, isOneFile } from './discover.ts';
import { type Place, type Problems, toShort } from './problem.ts';
import type { Draft } from './read-draft.ts';
import { allRoles, type Role, roles } from './role.ts';

export interface Named {
  readonly role: Role;
  /** Its real path; undefined for what is not there, or should not be: that was told. */
  readonly file: string | undefined;
}

export interface Finding {
  readonly cwd: string;
  readonly problems: Problems;
}

/** In the order of the roles, and of each list. */
export function findNamed(draft: Draft, finding: Finding): readonly Named[] {
  return allRoles.flatMap((role) => findInRole(role, draft, finding).map((file) => ({ role, file })));
}

/** Real paths. */
export function findFiles(entry: string, folder: string, { place, problems }: At): readonly string[] {
  const found = findAgentFiles(entry, folder).map(toRealPath);
  if (found.length === 0) {
    const what = /[*?{[]/.test(entry) ? `nothing fits ${entry}` : `there is no agent at ${entry}`;
    problems.error('file-missing', place, what);
  }
  return found;
}

interface At {
  readonly place: Place;
  readonly problems: Problems;
}

/** A folder or a glob may hold the file itself, or one that was named already, which is not meant. */
function findInRole(
  role: Role,
  { file, effective }: Draft,
  { cwd, problems }: Finding,
): readonly (string | undefined)[] {
  const said = effective.said(role);
  if (!said) return [];
  const { place } = said;
  const folder = place.file === file ? dirname(file) : cwd;
  const named = new Set<string>();
  const files = roles[role].filesOf(said.value).flatMap((entry): readonly (string | undefined)[] => {
    const found = findFiles(entry, folder, { place, problems });
    const [first] = found;
    if (first === undefined) return [undefined];
    if (!isOneFile(entry, folder)) return found.filter((one) => one !== file);
    const isAgain = roles[role].isOnceOnly && named.has(first);
    named.add(first);
    if (!isAgain) return found;
    problems.error('key-invalid', place, `names ${toShort(first, cwd)} twice; name each file once`);
    return [undefined];
  });
  return [...new Set(files)];
}

/** A pipe has none that could be opened. */
function toRealPath(file: string): string {
  const path = realpathSync(file);
  return existsSync(path) ? path : file;
}
