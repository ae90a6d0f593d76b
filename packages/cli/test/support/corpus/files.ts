// The corpus: agent files as people bring them, and what their frontmatter says.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const corpus = join(import.meta.dirname, '../../corpus');

/** Every agent file, by its path in the corpus. */
export const files: readonly string[] = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ai'))
  .sort();

export function sourceOf(file: string): string {
  return readFileSync(join(corpus, file), 'utf8');
}

/** The frontmatter, as YAML has it; empty where there is none. */
export function frontmatterOf(file: string): Readonly<Record<string, unknown>> {
  const [, yaml] = /^(?:#!.*\n)?---\n([\s\S]*?)\n---(?:\n|$)/.exec(sourceOf(file).replaceAll('\r\n', '\n')) ?? [];
  return yaml === undefined ? {} : parse(yaml);
}
