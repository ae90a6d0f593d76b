// Reads a text file that another file names, if it is where such files may be.

import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, isAbsolute, relative, sep } from 'node:path';
import type { Place, Problems } from '../problem.ts';

export interface ReadWithinOptions {
  /** Folders; the file is below one of them, links followed on both sides. */
  readonly roots: readonly string[];
  /** Where the file was named. */
  readonly place: Place;
  readonly problems: Problems;
}

export interface TextFile {
  /** With all links followed. */
  readonly realPath: string;
  /** Without a byte order mark, lines ended by LF. */
  readonly text: string;
}

/** `path` is absolute. Undefined when there is nothing to read; then a problem was told. */
export function readWithin(path: string, options: ReadWithinOptions): TextFile | undefined {
  options.problems.sought.add(path);
  // By its name alone, before anything is looked at.
  if (looksLikeSecrets(path)) return refuseSecrets(path, options);
  const realPath = attempt(() => realpathSync(path));
  if (realPath === undefined) return missing(`found no file ${path}`, options);
  if (looksLikeSecrets(realPath)) return refuseSecrets(realPath, options);
  if (!options.roots.some((root) => isBelow(root, realPath))) return refuseOutside(path, realPath, options);
  const stats = attempt(() => statSync(realPath));
  if (!stats?.isFile()) return missing(`found ${kindOf(stats)} at ${path}; a text file is needed`, options);
  if (stats.size > MAX_BYTES) return refuseSize(path, stats.size, options);
  const bytes = attempt(() => readFileSync(realPath));
  if (!bytes) return missing(`may not read ${path}; a file that can be read is needed`, options);
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (text === undefined) return refuseEncoding(path, options);
  return { realPath, text: text.replace(/\r\n?/g, '\n') };
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Variables with keys and passwords in them are kept in such files. */
function looksLikeSecrets(path: string): boolean {
  return /^\.env(?:rc|\..*)?$|\.env$/i.test(basename(path));
}

function isBelow(root: string, realPath: string): boolean {
  const realRoot = attempt(() => realpathSync(root));
  if (realRoot === undefined) return false;
  const way = relative(realRoot, realPath);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function kindOf(stats: Stats | undefined): string {
  if (!stats) return 'nothing';
  return stats.isDirectory() ? 'a folder' : 'something that is no file';
}

function missing(message: string, { place, problems }: ReadWithinOptions): undefined {
  problems.error('file-missing', place, message);
}

function refuseOutside(path: string, realPath: string, { roots, place, problems }: ReadWithinOptions): undefined {
  const found = path === realPath ? path : `${path}, which is ${realPath}`;
  problems.error('file-refused', place, `found ${found}; only files below ${roots.join(' or ')} are read`);
}

function refuseSecrets(path: string, { place, problems }: ReadWithinOptions): undefined {
  const message = `found ${path}; files of variables (.env, .env.*, *.env) are never read into a text`;
  problems.add('error', { code: 'file-refused', place, message, remedy: 'Name another file.' });
}

function refuseSize(path: string, bytes: number, { place, problems }: ReadWithinOptions): undefined {
  const message = `found ${bytes} bytes in ${path}; at most ${MAX_BYTES} are read`;
  problems.add('error', { code: 'file-refused', place, message, remedy: 'Shorten the file.' });
}

function refuseEncoding(path: string, { place, problems }: ReadWithinOptions): undefined {
  const message = `found bytes in ${path} that are no UTF-8; a text file in UTF-8 is needed`;
  problems.add('error', { code: 'file-refused', place, message, remedy: 'Save the file as UTF-8.' });
}

/** Whatever the file system says, there is no such value. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
