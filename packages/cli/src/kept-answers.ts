// Answers that a run may give again: those of this process from memory, those of earlier ones from files.

import { isAgentError, MemoryCache, messageOf, type ResultCache } from '@ai-agent/core';
import type { FileCache, FileCacheOptions } from './file-cache.ts';
import { systemClock } from './platform.ts';

export interface KeptAnswers extends ResultCache {
  /** When all is kept, or is not waited for any longer: why some of it could not be, if it could not. */
  settled(): Promise<Unkept | undefined>;
}

export interface Unkept {
  readonly message: string;
  readonly remedy: string;
  /** Whether something is under way that never ends, and keeps the process. */
  readonly isStuck: boolean;
}

type Files = Pick<FileCache, 'get' | 'put' | 'settled'>;

export interface Keeping {
  /** How long files may take. @default 2 seconds */
  readonly patienceMs?: number;
  readonly open?: (options: FileCacheOptions) => Promise<Files>;
}

/** Whatever needs files is loaded by the first who has an answer to look for. Without a folder, memory alone is used. */
export function keepAnswers(options: FileCacheOptions | undefined, keeping: Keeping = {}): KeptAnswers {
  const { patienceMs = 2_000, open = openFiles } = keeping;
  const memory = new MemoryCache(systemClock);
  let opened: Promise<Files> | undefined;
  let unkept: Unkept | undefined;
  const files = () => {
    if (!options || unkept?.isStuck) return undefined;
    opened ??= open(options);
    return opened;
  };
  const inTime = async <T>(work: Promise<T>): Promise<T | undefined> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        unkept = tooSlow(options?.folder ?? '', patienceMs);
        resolve(undefined);
      }, patienceMs);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  };
  return {
    async get(key) {
      const known = memory.get(key) ?? files()?.then((found) => found.get(key));
      return known instanceof Promise ? inTime(known) : known;
    },
    async put(key, value, ttlMs) {
      memory.put(key, value, ttlMs);
      if (!options) unkept ??= homeless;
      await (await files())?.put(key, value, ttlMs).catch((error: unknown) => {
        unkept ??= toUnkept(error);
      });
    },
    async settled() {
      const written = opened?.then((all) => all.settled());
      if (written && !unkept?.isStuck) await inTime(written);
      return unkept;
    },
  };
}

async function openFiles(options: FileCacheOptions): Promise<Files> {
  const { FileCache: Opened } = await import('./file-cache.ts');
  return new Opened(options);
}

const another = 'Name another folder as cache.path in the configuration.';

function toUnkept(error: unknown): Unkept {
  return { message: messageOf(error), remedy: isAgentError(error) ? error.remedy : another, isStuck: false };
}

function tooSlow(folder: string, patienceMs: number): Unkept {
  const message = `Answers are not kept in ${folder}: it did not answer within ${patienceMs / 1_000} seconds.`;
  return { message, remedy: `See whether its disk is there. ${another}`, isStuck: true };
}

const homeless: Unkept = {
  message: 'Answers are kept for this run alone: HOME names no folder.',
  remedy: 'Set HOME, or name a folder as cache.path in the configuration.',
  isStuck: false,
};
