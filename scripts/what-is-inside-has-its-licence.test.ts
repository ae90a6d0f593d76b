// Whoever gets the package gets the licence of all that is inside it, in words.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeNotices } from './build/notices.ts';

/** What is written of packages with these files. */
async function noticesOf(...packages: readonly Readonly<Record<string, unknown>>[]): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'notices-'));
  onTestFinished(() => rm(place, { recursive: true }));
  const folders = packages.map((_, i) => join(place, String(i)));
  for (const [i, folder] of folders.entries()) {
    await mkdir(folder);
    for (const [name, content] of Object.entries(packages[i] ?? {}))
      await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  await writeNotices(new Set(folders), join(place, 'LICENSES.md'));
  return readFile(join(place, 'LICENSES.md'), 'utf8');
}

const manifest = (license: string, more: object = {}) => ({ name: 'it', version: '1.0.0', license, ...more });

test('every section of the built page has a text that is one', async () => {
  const page = await readFile(join(import.meta.dirname, '../dist/LICENSES.md'), 'utf8');
  const [, ...sections] = page.split(/^## (?=\S+ \d)/m);
  expect(sections.length).toBeGreaterThan(15);
  const wordless = sections.filter(
    (section) =>
      !/permission (?:is hereby granted|to use)|redistribution and use|apache license, version 2\.0/i.test(section),
  );
  expect(wordless).toEqual([]);
  expect(page).not.toMatch(/root of this repository/);
});

test('its own text is taken as it is', async () => {
  expect(await noticesOf({ 'package.json': manifest('ISC'), 'LICENSE.md': 'Do as you like.\n' })).toContain(
    '## it 1.0.0 (ISC)\n\nDo as you like.\n',
  );
});

test.each([
  ['no file', {}],
  ['a file that points elsewhere', { LICENSE: 'Apache\n\nSee the LICENSE file in the root of this repository.' }],
])('Apache-2.0 with %s is that of our own file', async (_, files) => {
  expect(await noticesOf({ 'package.json': manifest('Apache-2.0'), ...files })).toContain(
    '## it 1.0.0 (Apache-2.0)\n\nLicensed under the Apache License, Version 2.0: its text is the file LICENSE of this package.\n',
  );
});

test.each([
  ['its author', { author: 'Ann <ann@x.test> (https://x.test)' }, 'Ann'],
  ['all who are named', { author: { name: 'Ann' }, contributors: ['Bob', { name: 'Cy' }] }, 'Ann, Bob, Cy'],
  ['nobody', { repository: { url: 'https://x.test/it' } }, 'the authors of it (https://x.test/it)'],
])('MIT without a file is written out, for %s', async (_, more, holder) => {
  const page = await noticesOf({ 'package.json': manifest('MIT', more) });
  expect(page).toContain(`## it 1.0.0 (MIT)\n\nCopyright (c) ${holder}\n\nPermission is hereby granted`);
  expect(page).toContain('WITHOUT WARRANTY OF ANY KIND');
});

test.each(['BSD-3-Clause', undefined])('%s without a file is not built', async (license) => {
  await expect(noticesOf({ 'package.json': { name: 'it', version: '1.0.0', license } })).rejects.toThrow(
    'it has no text of its licence: it cannot be in the package.',
  );
});
