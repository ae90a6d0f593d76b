// Notices that files have changed, by looking at them again and again: however an editor, a link or a mount replaces them.

import { type Stats, statSync } from 'node:fs';
import { findAgentFiles } from '@ai-agent/agents';

export interface Watched {
  /** Files, also those that are not there. */
  readonly sought: readonly string[];
  /** Files, folders or globs, each from its folder: what is found there is watched too. */
  readonly wanted: readonly { readonly entry: string; readonly folder: string }[];
}

export interface WatchOptions {
  /** What there is to look at: asked each time. */
  readonly watched: () => Watched;
  /** Called with the files that changed, when they change no more; not again before it settles. */
  readonly onChange: (files: readonly string[]) => Promise<void>;
  /** How often. @default 250 ms */
  readonly everyMs?: number;
}

/** Looking takes at most this part of the time, however many files there are. */
const share = 20;

/** Returns how to stop. Does not keep the process. */
export function watchFiles({ watched, onChange, everyMs = 250 }: WatchOptions): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let known = lookAt(watched());
  /** What has changed, and may go on changing. */
  let latest: Look | undefined;
  const lookAgain = async () => {
    const began = performance.now();
    const seen = lookAt(watched());
    const tookMs = performance.now() - began;
    const isSettled = latest !== undefined && differences(latest, seen).length === 0;
    latest = seen;
    const changed = isSettled ? differences(known, seen) : [];
    if (changed.length > 0) {
      known = seen;
      await onChange(changed);
      // What it led to is watched from now on; a file that was written meanwhile is seen next time.
      known = lookAnew(known, watched());
    }
    if (!isOver) wait(Math.max(everyMs, share * tookMs));
  };
  const wait = (ms: number) => {
    timer = setTimeout(lookAgain, ms).unref();
  };
  wait(everyMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** By path: when it was written, how long it is, and which file it is; empty for what is not there. */
type Look = ReadonlyMap<string, string>;

function lookAt({ sought, wanted }: Watched): Look {
  const found = wanted.flatMap(({ entry, folder }) => findAgentFiles(entry, folder));
  return new Map([...new Set([...sought, ...found])].map((path) => [path, markOf(path)]));
}

/** Files that were known keep what was seen of them; one that nobody has looked for was written since, and is news. */
function lookAnew(known: Look, watched: Watched): Look {
  const sought = new Set(watched.sought);
  const now = lookAt(watched);
  return new Map([...now].map(([path, mark]) => [path, known.get(path) ?? (sought.has(path) ? mark : '')]));
}

function markOf(path: string): string {
  const stats = statOf(path);
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : '';
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function differences(one: Look, other: Look): readonly string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => (one.get(path) ?? '') !== (other.get(path) ?? ''));
}
