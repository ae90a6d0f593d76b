// Answers that a run may give again: those of this process from memory, those of earlier ones from files.

import { MemoryCache, messageOf, type ResultCache } from '@ai-agent/core';
import type { FileCache, FileCacheOptions } from './file-cache.ts';
import { systemClock } from './platform.ts';

export interface KeptAnswers extends ResultCache {
  /** When all is kept: why some of it could not be, if it could not. */
  settled(): Promise<string | undefined>;
}

/** Whatever needs files is loaded by the first who has an answer to look for. */
export function keepAnswers(options: FileCacheOptions): KeptAnswers {
  const memory = new MemoryCache(systemClock);
  let opened: Promise<FileCache> | undefined;
  let problem: string | undefined;
  const files = () => {
    opened ??= import('./file-cache.ts').then(({ FileCache: Files }) => new Files(options));
    return opened;
  };
  return {
    async get(key) {
      return memory.get(key) ?? (await files()).get(key);
    },
    async put(key, value, ttlMs) {
      memory.put(key, value, ttlMs);
      const writing = await files();
      await writing.put(key, value, ttlMs).catch((error: unknown) => {
        problem ??= messageOf(error);
      });
    },
    async settled() {
      await (await opened)?.settled();
      return problem;
    },
  };
}
