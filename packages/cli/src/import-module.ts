// Imports a module of whoever runs us, by its path.

import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { Module } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isObject } from '@ai-agent/core';

/** Its default export; of a module that is written in the older way, what it exports. */
export async function importModule(path: string): Promise<unknown> {
  const { default: exported } = await toImport(path)(toAddress(path)).catch(async (error: unknown) => {
    throw error instanceof SyntaxError ? await withPlace(error, path) : error;
  });
  return isObject(exported) && '__esModule' in exported ? exported.default : exported;
}

/** Node keeps what it has imported: what was written anew since then needs another address. */
const importedOf = new Map<string, number>();

function toAddress(path: string): string {
  const { href } = pathToFileURL(path);
  const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const first = importedOf.get(path) ?? writtenAt;
  importedOf.set(path, first);
  return first === writtenAt ? href : `${href}?${writtenAt}`;
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

type Import = (url: string) => Promise<{ readonly default?: unknown }>;

/**
 * The command is loaded with kept code, in which Node warns of every `import()`. What Node compiles itself may import, and so
 * does a module that stands for the one that is wanted.
 */
function toImport(path: string): Import {
  const module = new Module(path) as Module & { _compile(code: string, filename: string): void; exports: Import };
  module._compile('module.exports = (url) => import(url);', `${path}.cjs`);
  return module.exports;
}
