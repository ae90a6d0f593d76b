// The file that was probably meant by a path where there is none.

import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { nearest } from '@ai-agent/core';

/** As it would be written in place of the entry; undefined when nothing there has a name like it. */
export function meantFile(entry: string, folder: string, isMeant = (_name: string) => true): string | undefined {
  const [name, inside] = [basename(entry), dirname(entry)];
  const names = namesIn(resolve(folder, inside)).filter(isMeant);
  const close = names.includes(`${name}.ai`) ? `${name}.ai` : nearest(name, names);
  // What is there and holds no agent was not misspelt.
  return close === undefined || close === name ? undefined : join(inside, close);
}

/** What is no folder has no names. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
