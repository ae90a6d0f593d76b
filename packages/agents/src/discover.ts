// Finds the files of agents: one by its path, all of a folder, or those that fit a glob.

import { type Dirent, globSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { hasFrontmatter } from './agent-file.ts';

/** Absolute paths in a steady order; empty when there is nothing. */
export function findAgentFiles(entry: string, folder: string): readonly string[] {
  const path = resolve(folder, entry);
  const found = statOf(path);
  if (found?.isDirectory()) return agentsIn(path);
  if (found) return [path];
  if (!/[*?{[]/.test(entry)) return [];
  return globSync(entry, { cwd: folder, exclude: (path) => isLeftOut(basename(path)) })
    .map((match) => resolve(folder, match))
    .sort()
    .filter(isAgentFile);
}

/** Rather than a folder or a glob. */
export function isOneFile(entry: string, folder: string): boolean {
  return statOf(resolve(folder, entry))?.isFile() ?? false;
}

/** With everything below it. */
function agentsIn(folder: string): readonly string[] {
  const entries = [...entriesOf(folder)].sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isLeftOut(entry.name)) return [];
    if (entry.isDirectory()) return agentsIn(path);
    return isAgentFile(path) ? [path] : [];
  });
}

/** Hidden folders, and those of packages. */
function isLeftOut(name: string): boolean {
  return (name.startsWith('.') && !/^\.+$/.test(name)) || name === 'node_modules';
}

/** Markdown is an agent only when it has options: most Markdown is not. */
function isAgentFile(path: string): boolean {
  const extension = extname(path).toLowerCase();
  if (!['.ai', '.md'].includes(extension) || !statOf(path)?.isFile()) return false;
  return extension === '.ai' || hasFrontmatter(attempt(() => readFileSync(path, 'utf8')) ?? '');
}

function entriesOf(folder: string): readonly Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** Of what a link leads to; undefined when it leads nowhere, or we may not look. */
function statOf(path: string): Stats | undefined {
  return attempt(() => statSync(path));
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
