// The licences of what is bundled: whoever passes code on passes its licence on, in words.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundled } from './bundle.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: Person;
  readonly contributors?: readonly Person[];
  readonly repository?: string | { readonly url: string };
}

type Person = string | { readonly name: string };

export async function writeNotices(packages: Bundled, file: string): Promise<void> {
  const sections = await Promise.all([...packages].map(toSection));
  const text = `# What is inside\n\nThe code of these packages is part of dist/, each under its own licence.\n\n${sections.sort().join('\n')}`;
  await writeFile(file, text);
}

async function toSection(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license } = manifest;
  const words = (await ownText(folder)) ?? usualText(manifest);
  return `## ${name} ${version} (${license ?? 'see below'})\n\n${words}\n`;
}

/** Nothing where the file only points to one that is not there. */
async function ownText(folder: string): Promise<string | undefined> {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) return undefined;
  const text = (await readFile(join(folder, file), 'utf8')).trim();
  return text === '' || /\bin the root of this repository\b/i.test(text) ? undefined : text;
}

/** Throws for a licence whose text we cannot know. */
function usualText(manifest: Manifest): string {
  const { name, license } = manifest;
  // npm packs our own LICENSE, which is the same.
  if (license === 'Apache-2.0')
    return 'Licensed under the Apache License, Version 2.0: its text is the file LICENSE of this package.';
  if (license === 'MIT') return `Copyright (c) ${toHolders(manifest)}\n\n${mit}`;
  throw new Error(`${name} has no text of its licence: it cannot be in the package.`);
}

function toHolders({ name, author, contributors = [], repository }: Manifest): string {
  const people = [...(author === undefined ? [] : [author]), ...contributors];
  if (people.length > 0) return people.map(nameOf).join(', ');
  const url = typeof repository === 'string' ? repository : repository?.url;
  return `the authors of ${name}${url === undefined ? '' : ` (${url})`}`;
}

/** `Ann <ann@host> (https://host)` is Ann. */
function nameOf(person: Person): string {
  return typeof person === 'string' ? person.replace(/\s*[<(].*$/, '') : person.name;
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
