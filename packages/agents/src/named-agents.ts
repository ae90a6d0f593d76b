// The files that an agent file names, each with what it is to be: found, and told of when they are not there.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { findAgentFiles, isOneFile } from './discover.ts';
import { meantFile } from './meant-file.ts';
import { unsetWords } from './options/kinds.ts';
import { flagRemedy, type Place, type Problems, toShort } from './problem.ts';
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
export function findFiles(entry: string, folder: string, { place, problems, hint, ...at }: At): readonly string[] {
  const found = findAgentFiles(entry, folder).map(toRealPath);
  if (found.length === 0) {
    const what = isGlob(entry) ? `nothing fits ${entry}` : `there is no agent at ${entry}`;
    problems.add('error', { code: 'file-missing', place, message: `${what}${hint?.() ?? ''}`, ...at });
  }
  return found;
}

interface At {
  readonly place: Place;
  readonly problems: Problems;
  /** What else to say of one that is not there. @default nothing */
  readonly hint?: () => string;
  /** @default the catalogue's */
  readonly remedy?: string;
}

function isGlob(entry: string): boolean {
  return /[*?{[]/.test(entry);
}

/** A folder or a glob may hold the file itself, or one that was named already, which is not meant. */
function findInRole(
  role: Role,
  { file, effective }: Draft,
  { cwd, problems }: Finding,
): readonly (string | undefined)[] {
  const said = effective.said(role);
  if (!said) return [];
  const isOwn = said.place.file === file;
  const folder = isOwn ? dirname(file) : cwd;
  const remedy = isOwn ? {} : { remedy: flagRemedy };
  const named = new Set<string>();
  const files = roles[role].filesOf(said.value).flatMap((entry): readonly (string | undefined)[] => {
    const line = said.lines?.get(entry);
    const place = { ...said.place, ...(isOwn && line !== undefined ? { line } : {}) };
    const hint = () => (isOwn ? '' : noneHint(entry, said.place)) || meantHint(entry, folder, file);
    const found = findFiles(entry, folder, { place, problems, hint, ...remedy });
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

/** Only what could be an agent, or hold some, and is not the file that names it. */
function meantHint(entry: string, folder: string, file: string): string {
  if (isGlob(entry)) return '';
  const isOther = (name: string) => /\.(?:ai|md)$|^[^.]+$/i.test(name) && name !== basename(file);
  const meant = meantFile(entry, folder, isOther);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** A flag that is to leave a list empty. */
function noneHint(entry: string, { key = '' }: Place): string {
  return unsetWords.includes(entry.toLowerCase()) ? `; for none, write ${key} ""` : '';
}

/** A pipe has none that could be opened. */
function toRealPath(file: string): string {
  const path = realpathSync(file);
  return existsSync(path) ? path : file;
}
