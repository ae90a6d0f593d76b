// Imports a module of whoever runs us, by its path.

import { Module } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isObject } from '@ai-agent/core';

/** Its default export; of a module that is written in the older way, what it exports. */
export async function importModule(path: string): Promise<unknown> {
  const { default: exported } = await toImport(path)(pathToFileURL(path).href);
  return isObject(exported) && '__esModule' in exported ? exported.default : exported;
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
