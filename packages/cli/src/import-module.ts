// Imports a module of whoever runs us, by its path.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isObject } from '@ai-agent/core';

/**
 * Its default export. Required where that is possible: the command is loaded with kept code, in which Node warns of every
 * `import()`. A module that waits at its top can only be imported.
 */
export async function importModule(path: string): Promise<unknown> {
  try {
    const loaded: unknown = createRequire(path)(path);
    return isModule(loaded) ? loaded.default : loaded;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
    return ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default;
  }
}

/** What is written in the older way has its export as it is. */
function isModule(loaded: unknown): loaded is { readonly default?: unknown } {
  return isObject(loaded) && (Object.prototype.toString.call(loaded) === '[object Module]' || '__esModule' in loaded);
}
