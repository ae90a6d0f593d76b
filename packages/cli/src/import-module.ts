// Imports a module of whoever runs us, by its path.

import { execFile } from 'node:child_process';
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
    if (error instanceof SyntaxError) throw await withPlace(error, path);
    if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
    return ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default;
  }
}

/** Node says where a module cannot be read only when it is asked to check it. That runs nothing. */
async function withPlace(error: SyntaxError, path: string): Promise<SyntaxError> {
  if (error.stack?.includes(`${path}:`)) return error;
  const told = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--check', path], { timeout: 5_000 }, (_failed, _stdout, stderr) => resolve(stderr));
  });
  if (told.startsWith(`${path}:`)) error.stack = told;
  return error;
}

/** What is written in the older way has its export as it is. */
function isModule(loaded: unknown): loaded is { readonly default?: unknown } {
  return isObject(loaded) && (Object.prototype.toString.call(loaded) === '[object Module]' || '__esModule' in loaded);
}
