// One file as far as it can be read alone: its options with everything that has a say in them, and its prompt as text.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { messageOf } from '@ai-agent/core';
import { type Section, splitAgentFile, strayFrontmatter } from './agent-file.ts';
import { reservedNames, toAgentName } from './agent-name.ts';
import { ConfigProblems } from './config/config-problems.ts';
import type { Configuration } from './config/configuration.ts';
import { Effective } from './options/effective.ts';
import { keysOf, readOptions, type Said } from './options/read-options.ts';
import { parseYaml } from './parse-yaml.ts';
import { type PluginFile, readPluginFiles } from './plugin-files.ts';
import type { Problems } from './problem.ts';
import type { World } from './world.ts';

export interface Draft {
  readonly file: string;
  readonly name: string;
  /** What callers know it by. */
  readonly label: string;
  readonly effective: Effective;
  readonly configuration: Configuration;
  readonly body: Section;
  /** Its plugins as they are on disk. */
  readonly pluginFiles: readonly PluginFile[];
  /** Whether all its options were right. */
  readonly isSound: boolean;
}

export interface DraftContext {
  readonly world: World;
  readonly configuration: Configuration;
  readonly problems: Problems;
  /** Whether it was named at the top: flags are for such alone. */
  readonly isTop: boolean;
  /** What its caller hands on to those that say nothing of it. @default nothing */
  readonly inherited?: Said | undefined;
}

/** Undefined when there is no telling what its options are. */
export function readDraft(file: string, context: DraftContext): Draft | undefined {
  const { world, configuration, problems, isTop, inherited } = context;
  const errors = problems.errorCount;
  const source = readSource(file, problems);
  if (source === undefined) return undefined;
  const text = splitAgentFile(source);
  if (!text) {
    problems.error(
      'frontmatter-invalid',
      { file, line: 1 },
      'is opened with --- and never closed; close it with another ---',
    );
    return undefined;
  }
  const stray = strayFrontmatter(text, (word) => keysOf('file').includes(word));
  if (stray !== undefined)
    problems.warn(
      'frontmatter-invalid',
      { file, line: stray },
      'looks like a frontmatter, and is taken for a part of the prompt, because it is not at the top',
    );
  const own = text.frontmatter ? readFrontmatter(file, text.frontmatter, problems) : new Map();
  if (!own) return undefined;
  const flags = isTop ? world.flags : undefined;
  const defaults = defaultsOf(configuration, problems);
  const sources = [world.overrides, flags, own, world.defaults, defaults, inherited];
  const effective = new Effective(
    sources.filter((said): said is Said => said !== undefined),
    defaults,
  );
  const name = toAgentName(file);
  const draft = { file, name, label: String(effective.said('toolName')?.value ?? name), effective, configuration };
  checkName(draft, problems);
  const pluginFiles = readPluginFiles({ file, said: effective.said('plugins') }, context);
  return { ...draft, body: text.body, pluginFiles, isSound: problems.errorCount === errors };
}

function readSource(file: string, problems: Problems): string | undefined {
  problems.sought.add(file);
  try {
    const bytes = readFileSync(file);
    if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
    const message = 'is not text: an agent file is UTF-8';
    problems.add('error', { code: 'prompt-invalid', place: { file }, message, remedy: 'Save the file as UTF-8.' });
    return undefined;
  } catch (error) {
    problems.error('file-missing', { file }, `cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

function readFrontmatter(file: string, { text, firstLine }: Section, problems: Problems): Said | undefined {
  const parsed = parseYaml(text, firstLine);
  if ('problems' in parsed) {
    for (const { line, message } of parsed.problems) problems.error('frontmatter-invalid', { file, line }, message);
    return undefined;
  }
  const { root } = parsed;
  if (root.fields) return readOptions({ where: 'file', root, file }, problems);
  if (root.value === null) return new Map();
  problems.error(
    'frontmatter-invalid',
    { file, line: firstLine },
    'is not a list of keys, each with a colon and a value',
  );
  return undefined;
}

function defaultsOf(configuration: Configuration, problems: Problems): Said {
  const said = new Map();
  for (const { at: root, file } of configuration.defaults()) {
    const read = readOptions({ where: 'defaults', root, file, key: 'defaults' }, new ConfigProblems(problems));
    for (const [key, value] of read) if (!said.has(key)) said.set(key, value);
  }
  return said;
}

function checkName({ file, label, effective }: Pick<Draft, 'file' | 'label' | 'effective'>, problems: Problems): void {
  const { place = { file } } = effective.said('toolName') ?? {};
  if (!/^[\w.-]{1,128}$/.test(label))
    problems.error(
      'key-invalid',
      place,
      `found "${label}"; must be 1 to 128 letters, digits, dots, dashes or underscores`,
    );
  const others = reservedNames.filter((name) => name !== label.toLowerCase());
  if (others.length < reservedNames.length)
    problems.error('name-reserved', place, `the name ${label} is reserved, and so are ${others.join(', ')}`);
}
