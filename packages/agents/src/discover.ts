// Finds the files of agents: one by its path, all of a folder, or those that fit a glob.

import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { hasFrontmatter } from './agent-file.ts';

/** Absolute paths in a steady order; empty when there is nothing. */
export function findAgentFiles(entry: string, folder: string): readonly string[] {
  const path = resolve(folder, entry);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return agentsIn(path);
  if (found) return [path];
  if (!/[*?{[]/.test(entry)) return [];
  return globSync(entry, { cwd: folder })
    .map((match) => resolve(folder, match))
    .sort()
    .flatMap((match) => (statSync(match).isDirectory() ? [] : [match]))
    .filter(isAgentFile);
}

/** Rather than a folder or a glob. */
export function isOneFile(entry: string, folder: string): boolean {
  return statSync(resolve(folder, entry), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** With everything below it. */
function agentsIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
    if (entry.isDirectory()) return agentsIn(path);
    return isAgentFile(path) ? [path] : [];
  });
}

/** Markdown is an agent only when it has options: most Markdown is not. */
function isAgentFile(path: string): boolean {
  const extension = extname(path).toLowerCase();
  if (extension !== '.md') return extension === '.ai';
  return hasFrontmatter(readFileSync(path, 'utf8'));
}
