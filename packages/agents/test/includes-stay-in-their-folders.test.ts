// A file is read only when it really is below a folder that is allowed, links followed, and never when it holds variables.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Problems } from '../src/problem.ts';
import { readWithin } from '../src/prompt/read-within.ts';
import { prepare, toFolder } from './support/prompts.ts';

const both = (path: string) => [`\${include:${path}}`, `\n{% render '${path}' %}`] as const;

test('a way out by dots or by an absolute path', async () => {
  const outside = toFolder({ 'secret.md': 'S', 'agents/ok.md': 'ok' });
  const folder = join(outside, 'agents');
  for (const text of [...both('../secret.md'), ...both(join(outside, 'secret.md'))]) {
    const { problems, messages } = await prepare(text, {}, { folder });
    expect(problems).toEqual([`file-refused desk.ai:${text.startsWith('\n') ? 2 : 1}`]);
    expect(messages).toContain(`only files below ${folder} are read`);
  }
  for (const text of both(join(folder, 'ok.md'))) expect((await prepare(text, {}, { folder })).problems).toEqual([]);
});

test('a link that leads out, of a file and of a folder', async () => {
  const outside = toFolder({ 'secret.md': 'S' });
  const folder = toFolder({});
  symlinkSync(join(outside, 'secret.md'), join(folder, 'tone.md'));
  symlinkSync(outside, join(folder, 'parts'));
  for (const path of ['tone.md', 'parts/secret.md']) {
    const { problems, messages } = await prepare(`\${include:${path}}`, {}, { folder });
    expect(problems).toEqual(['file-refused desk.ai:1']);
    expect(messages).toContain(join(outside, 'secret.md'));
  }
});

test('another folder that is allowed, through a link as well', async () => {
  const shared = toFolder({ 'tone.md': "T{% include 'more.md' %}", 'more.md': 'M' });
  const links = toFolder({});
  symlinkSync(shared, join(links, 'shared'));
  const folder = toFolder({});
  symlinkSync(join(shared, 'tone.md'), join(folder, 'tone.md'));
  for (const root of [shared, join(links, 'shared')])
    expect((await prepare('${include:tone.md}', {}, { folder, roots: [folder, root] })).problems).toEqual([]);
});

test('a folder that only begins with the same letters is another folder', async () => {
  const outside = toFolder({ 'agents/a.md': '', 'agents-old/secret.md': 'S' });
  const { problems } = await prepare('${include:../agents-old/secret.md}', {}, { folder: join(outside, 'agents') });
  expect(problems).toEqual(['file-refused desk.ai:1']);
});

test.each(['.env', '.ai-agent.env', '.env.local', 'prod.env', '.ENV', '.envrc'])('%s is never read', async (name) => {
  const folder = toFolder({ [name]: 'KEY=1' });
  symlinkSync(join(folder, name), join(folder, 'notes.md'));
  for (const path of [name, 'notes.md'])
    expect((await prepare(`\${include:${path}}`, {}, { folder })).problems).toEqual(['file-refused desk.ai:1']);
});

test('a link by such a name, and one that is not there', async () => {
  const folder = toFolder({ 'notes.md': 'N' });
  symlinkSync(join(folder, 'notes.md'), join(folder, '.env'));
  for (const path of ['.env', 'gone.env'])
    expect((await prepare(`\${include:${path}}`, {}, { folder })).problems).toEqual(['file-refused desk.ai:1']);
});

test('a file that is not there, a folder, and a link to nothing', async () => {
  const folder = toFolder({ 'parts/a.md': '' });
  symlinkSync(join(folder, 'gone.md'), join(folder, 'link.md'));
  for (const path of ['no.md', 'parts', 'link.md'])
    expect((await prepare(`a\n\${include:${path}}`, {}, { folder })).problems).toEqual(['file-missing desk.ai:2']);
});

test('circles are told with their way', async () => {
  const circle = { 'a.md': '${include:b.md}', 'b.md': "\n{% render 'a.md' %}", 'me.md': '${include:me.md}' };
  const { problems, messages } = await prepare('{{include:a.md}}\n${include:me.md}\n${include:desk.ai}', {
    ...circle,
    'desk.ai': '',
  });
  expect(problems).toEqual(['file-refused b.md:2', 'file-refused me.md:1', 'file-refused desk.ai:3']);
  expect(messages).toContain('a.md → b.md → a.md');
});

test('eight includes in each other are followed, and no more, however the file was met before', async () => {
  const names = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const chain = Object.fromEntries(names.map((n) => [`${n}.md`, n < 9 ? `\${include:${n + 1}.md}` : 'end']));
  expect((await prepare('${include:2.md}', chain)).problems).toEqual([]);
  expect((await prepare('${include:1.md}', chain)).problems).toEqual(['file-refused 8.md:1']);
  expect((await prepare('${include:2.md}\n${include:1.md}', chain)).problems).toEqual(['file-refused 1.md:1']);
});

test('what is too long or no UTF-8', () => {
  const folder = toFolder({ 'long.md': '' });
  truncateSync(join(folder, 'long.md'), 4 * 1024 * 1024 + 1);
  writeFileSync(join(folder, 'latin.md'), Buffer.from([0x61, 0xe4]));
  mkdirSync(join(folder, 'x'));
  const problems = new Problems();
  for (const name of ['long.md', 'latin.md'])
    expect(
      readWithin(join(folder, name), { roots: [folder], place: { file: 'f', line: 3 }, problems }),
    ).toBeUndefined();
  expect(problems.all.map(({ code, line }) => [code, line])).toEqual([
    ['file-refused', 3],
    ['file-refused', 3],
  ]);
});
