// Keys of the current folder that a file nearer to the agent overrides.

import { isDeepStrictEqual } from 'node:util';
import type { Field } from '../located.ts';
import { type Problems, toShort } from '../problem.ts';
import { toolSections, type World } from '../world.ts';
import { toRealPath } from './config-file.ts';
import type { Configuration } from './configuration.ts';
import { inFolder, type Layer } from './layers.ts';

/** Names keys and files, never a value: it may be a secret. */
export function warnOverridden(
  { layers }: Pick<Configuration, 'layers'>,
  { cwd, providers }: Pick<World, 'cwd' | 'providers'>,
  problems: Problems,
): void {
  const found = layers.findIndex(({ label, folder }) => label !== '--config' && toRealPath(folder) === toRealPath(cwd));
  const current = layers[found];
  if (!current) return;
  const keyVariables = new Set(
    providers.wellKnownNames.flatMap((name) => providers.wellKnown(name)?.keyVariables ?? []),
  );
  const nearer = layers.slice(0, found).map((layer) => ({ layer, settings: settingsIn(layer, keyVariables) }));
  for (const [id, { key, file, value }] of settingsIn(current, keyVariables)) {
    const first = nearer.find(({ settings }) => settings.has(id));
    const own = first?.settings.get(id);
    if (!first || !own || first.layer.label === '--config' || isDeepStrictEqual(own.value, value)) continue;
    problems.add('warning', {
      code: 'key-conflict',
      place: { file: own.file, key, ...(own.line === undefined ? {} : { line: own.line }) },
      message: `this value overrides the different one in ${toShort(file, cwd)}, which is farther from the agent`,
      remedy: 'Keep the key in one of the two files, or write the same value into both.',
    });
  }
}

interface Setting {
  readonly key: string;
  readonly file: string;
  readonly line?: number;
  readonly value: unknown;
}

/** Sections whose entries come from different layers. */
const byName: ReadonlySet<string> = new Set(['providers', ...toolSections]);
/** Sections of a server, where the current folder still goes first, and sections that are merged. */
const unaffected: ReadonlySet<string> = new Set(['api', 'embed', 'slack', 'includeRoots', 'queues']);

function settingsIn({ root, file, folder, variables }: Layer, keyVariables: ReadonlySet<string>) {
  const settings = new Map<string, Setting>();
  for (const [key, { line, at }] of [...(root.fields ?? [])].flatMap(keysIn))
    settings.set(`key ${key}`, { key, file, ...(line === undefined ? {} : { line }), value: at.value });
  for (const [key, value] of variables)
    if (keyVariables.has(key)) settings.set(`variable ${key}`, { key, file: inFolder(folder).envFile, value });
  return settings;
}

type Keyed = readonly [key: string, field: Field];

function keysIn([section, field]: Keyed): readonly Keyed[] {
  if (unaffected.has(section)) return [];
  if (section === 'defaults') return below([section, field]).flatMap((one) => (one[1].at.fields ? below(one) : [one]));
  return byName.has(section) ? below([section, field]) : [[section, field]];
}

/** `budget.tokens` by itself: one layer may say the tokens, and another the money. */
function below([key, { at }]: Keyed): readonly Keyed[] {
  return [...(at.fields ?? [])].map(([name, field]) => [`${key}.${name}`, field]);
}
