// Reads all the files that a prompt includes, and those that they include, before anything is rendered.

import { basename, dirname, resolve } from 'node:path';
import type { Place, Problems } from '../problem.ts';
import { includesOf } from './check-template.ts';
import { findOlder } from './older-syntax.ts';
import { readWithin } from './read-within.ts';
import { isTemplate, type Source, toLineFinder, toSource } from './source.ts';
import { tellMistakes } from './tell-mistakes.ts';
import { TemplateEngine } from './template-engine.ts';

export interface Gathered {
  /** The root first; parsed, if there is an engine. */
  readonly sources: readonly Source[];
  /** Missing when nothing in them is a template. */
  readonly engine: TemplateEngine | undefined;
}

export interface GatherOptions {
  readonly roots: readonly string[];
  readonly problems: Problems;
}

export async function gatherSources(root: Source, { roots, problems }: GatherOptions): Promise<Gathered> {
  const sources = new Map([[root.file, root]]);
  let opened: TemplateEngine | undefined;
  const open = async () => {
    opened ??= await TemplateEngine.open(sources);
    return opened;
  };
  await visit([root], { roots, problems, sources, open });
  // What was no template itself is part of one.
  for (const source of sources.values())
    if (opened && !source.templates && !isTemplate(source)) tellMistakes(opened.parse(source), problems);
  return { sources: [...sources.values()], engine: opened };
}

interface Walk extends GatherOptions {
  /** By their file. */
  readonly sources: Map<string, Source>;
  readonly open: () => Promise<TemplateEngine>;
}

/** The last of the chain is looked at; the others include it. */
async function visit(chain: Chain, walk: Walk): Promise<void> {
  const source = chain[chain.length - 1] as Source;
  for (const include of await findIncludes(source, walk)) {
    if (source.includes.has(include.path)) continue;
    const child = await follow(include, chain, walk);
    if (!child) continue;
    source.includes.set(include.path, child);
    source.height = Math.max(source.height, child.height + 1);
  }
}

type Chain = readonly [Source, ...Source[]];

interface Include {
  readonly path: string;
  readonly place: Place;
}

async function findIncludes(source: Source, { open, problems }: Walk): Promise<Include[]> {
  if (!isTemplate(source)) return findOlderIncludes(source);
  tellMistakes((await open()).parse(source), problems);
  const lineAt = toLineFinder(source);
  return includesOf(source.templates ?? []).flatMap(({ path, begin }) => {
    const place = { file: source.file, line: lineAt(begin) };
    if (path !== undefined) return [{ path, place }];
    problems.error('prompt-invalid', place, 'found an include whose file is not a path in quotes; it must be one');
    return [];
  });
}

function findOlderIncludes(source: Source): Include[] {
  const lineAt = toLineFinder(source);
  const found = [...findOlder(source.text)].filter((span) => span.kind === 'include');
  return found.map(({ path, begin }) => ({ path, place: { file: source.file, line: lineAt(begin) } }));
}

async function follow({ path, place }: Include, chain: Chain, walk: Walk): Promise<Source | undefined> {
  const { roots, problems, sources } = walk;
  const from = chain[chain.length - 1] as Source;
  const file = readWithin(resolve(dirname(from.file), path), { roots, place, problems });
  if (!file) return undefined;
  const { realPath, text } = file;
  const ring = chain.findIndex((source) => source.realPath === realPath);
  if (ring >= 0) return refuse(`found a circle of includes: ${toWay(chain.slice(ring), realPath)}`, place, problems);
  const known = sources.get(realPath);
  if (chain.length + (known?.height ?? 0) > MAX_DEPTH)
    return refuse(
      `found includes too deep, at most ${MAX_DEPTH} are followed: ${toWay(chain, realPath)}`,
      place,
      problems,
    );
  if (known) return known;
  const child = toSource({ file: realPath, realPath, text, firstLine: 1 });
  sources.set(realPath, child);
  await visit([...chain, child], walk);
  return child;
}

const MAX_DEPTH = 8;

function toWay(chain: readonly Source[], last: string): string {
  return [...chain.map(({ file }) => basename(file)), basename(last)].join(' → ');
}

function refuse(message: string, place: Place, problems: Problems): undefined {
  problems.add('error', { code: 'file-refused', place, message, remedy: 'Take one of these includes out.' });
}
