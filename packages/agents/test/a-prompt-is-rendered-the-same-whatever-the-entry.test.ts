// There is one pipeline: both include syntaxes, both variable syntaxes and Liquid, in the body and in whatever it includes.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Problems } from '../src/problem.ts';
import { preparePrompt } from '../src/prompt/prepare-prompt.ts';
import { toVariables } from '../src/prompt/variables.ts';
import { factsOf, prepare, render, toFolder } from './support/prompts.ts';

const files = { 'tone.md': 'Be kind, ${USER}.', 'parts/a.md': "A{% render 'b.md' %}", 'parts/b.md': 'B{{ DAY }}' };

test.each([
  '${include:tone.md}',
  '${ include: tone.md }',
  '{{include:tone.md}}',
  '{{ include: tone.md }}',
  '{{- include:tone.md -}}',
  "{% render 'tone.md' %}",
  '{% include "tone.md" %}',
  "{%- render './parts/../tone.md' -%}",
  "{% liquid\n  render 'tone.md'\n%}",
])('%s is the file', async (tag) => {
  expect(await render(tag, files)).toBe('Be kind, ada.');
});

test('each file finds its includes from its own folder', async () => {
  expect(await render('${include:parts/a.md}!', files)).toBe('ABSaturday!');
});

test('plain files are joined the same', async () => {
  const plain = { 'a.md': '[${include:p/b.md}]', 'p/b.md': '${include:c.md}${OS}', 'p/c.md': 'C ' };
  expect(await render('x ${include:a.md} ${include:a.md}', plain)).toBe('x [C linux] [C linux]');
});

test('a plain file around a template, with paths that need quoting', async () => {
  const odd = { "it's.md": 'Q', 'a\\b.md': 'W{{ARCH}}' };
  expect(await render("{${include:it's.md}} ${include:a\\b.md}", odd)).toBe('{Q} Wx64');
});

test('arguments reach what is rendered, and what is included shares the names around it', async () => {
  const cards = {
    'card.md': '<{{ who }} {{ TIMEZONE }}>',
    'item.md': '[{{ i }}]',
    'as.md': '({{ it }}{{ forloop.index }})',
  };
  const text =
    "{% render 'card.md', who: USER %}{% for i in (1..2) %}{% include 'item.md' %}{% endfor %}{% assign l = 'a b' | split: ' ' %}{% render 'as.md' for l as it %}";
  expect(await render(text, cards)).toBe('<ada UTC>[1][2](a1)(b2)');
});

test('loops give their own names', async () => {
  const list = "{% assign l = 'a b' | split: ' ' %}";
  expect(await render(`${list}{% render 'as.md' for l as it %}`, { 'as.md': '{{ it }}{{ forloop.index }}' })).toBe(
    'a1b2',
  );
  const inTwo =
    '{% for i in (1..4) limit: 1 %}{{ i }}{% endfor %}-{% for i in (1..4) offset: continue %}{{ i }}{% endfor %}';
  expect(await render(inTwo)).toBe('1-234');
});

test('every variable, in both syntaxes', async () => {
  const names = 'DATETIME TIMESTAMP DAY TIMEZONE MAX_TURNS MAX_TOOLS OS ARCH KERNEL CD HOSTNAME USER FORMAT'.split(' ');
  const all = names.map((name) => `\${${name}}|{{${name}}}|{{ ${name} }}`).join('\n');
  const values = `2026-01-31T09:30:15+00:00,1769851815,Saturday,UTC,7,3,linux,x64,Linux 6.8.0,/home/ada/work,engine,ada`;
  const lines = (await render(all)).split('\n').map((line) => line.split('|'));
  for (const [dollar, braces, spaced] of lines) expect([braces, spaced]).toEqual([dollar, dollar]);
  expect(lines.slice(0, -1).map(([value]) => value)).toEqual(values.split(','));
  expect(lines.at(-1)?.[0]).toMatch(/plain text/i);
});

test.each([
  ['text', /plain text/i],
  ['markdown', /markdown/i],
  ['json', /json/i],
] as const)('FORMAT says what %s is', async (format, words) => {
  expect(await render('${FORMAT}', {}, { output: { format } })).toMatch(words);
});

test('numbers can be compared, and values written as JSON', async () => {
  const text = '{% if MAX_TURNS > 5 %}many{% endif %} {{ USER | json }} {{ "a,b" | split: "," | json_pretty }}';
  expect(await render(text)).toBe('many "ada" [\n  "a",\n  "b"\n]');
});

test('what is raw or a comment stays as it is or goes, and nothing in it is followed', async () => {
  const text =
    '{% raw %}${USER} {{ x }} ${include:no.md}{% endraw %}{% comment %}{{include:no.md}}{{ y }}{% endcomment %}';
  expect(await render(text)).toBe('${USER} {{ x }} ${include:no.md}');
});

test('an included file stays as it stands, its frontmatter too', async () => {
  expect(await render('${include:a.ai}', { 'a.ai': '\uFEFF#!/x\r\n---\r\na: 1\r\n---\r\nHi' })).toBe(
    '#!/x\n---\na: 1\n---\nHi',
  );
});

test('blank lines are at most two, and none around it; markers are plain text', async () => {
  expect(await render('\n\n a\n\n\nb\n \n\t\n\n\nc XML-NEXT.DATETIME \n')).toBe('a\n\n\nb\n\n\nc XML-NEXT.DATETIME');
});

test.each([
  ['a\n\n\nb', 'a\n\n\nb'],
  ['a\n\n\n\nb', 'a\n\n\nb'],
])('%j has %j', async (text, expected) => {
  expect(await render(text)).toBe(expected);
});

test('rendering touches no disk', async () => {
  const folder = toFolder(files);
  const { prompt } = await prepare("${include:tone.md} {% render 'parts/a.md' %}", {}, { folder });
  rmSync(folder, { recursive: true });
  expect(prompt?.render(toVariables(factsOf()))).toBe('Be kind, ada. ABSaturday');
});

test('a text need not be in a file', async () => {
  const source = { file: join('/nowhere', 'x.ai'), text: '{{ DAY }}', firstLine: 1 };
  const prompt = await preparePrompt(source, { roots: [], problems: new Problems() });
  expect(prompt?.render(toVariables(factsOf()))).toBe('Saturday');
});
