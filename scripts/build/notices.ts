// The licences of what is bundled: whoever passes code on passes its licence on.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundled } from './bundle.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

export async function writeNotices(packages: Bundled, file: string): Promise<void> {
  const sections = await Promise.all([...packages].map(toSection));
  const text = `# What is inside\n\nThe code of these packages is part of dist/, each under its own licence.\n\n${sections.sort().join('\n')}`;
  await writeFile(file, text);
}

async function toSection(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const licence = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
  if (license === undefined && licence === undefined)
    throw new Error(`${name} has no licence: it cannot be in the package.`);
  const words = licence === undefined ? '' : `\n${(await readFile(join(folder, licence), 'utf8')).trim()}\n`;
  return `## ${name} ${version} (${license ?? 'see below'})\n${words}`;
}
