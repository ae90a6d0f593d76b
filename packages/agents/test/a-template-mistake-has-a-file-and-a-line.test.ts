// Whatever is wrong with a template is told when it is loaded, with the file and the line it is in, in untaken branches too.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { toVariables } from '../src/prompt/variables.ts';
import { factsOf, prepare } from './support/prompts.ts';

test('an unknown variable, with those that are known and the nearest', async () => {
  const { problems, messages, prompt } = await prepare('a\n\n{{ DATETME }}', {}, { firstLine: 5 });
  expect(problems).toEqual(['prompt-invalid desk.ai:7']);
  expect(messages).toContain('DATETME');
  expect(messages).toContain('did you mean DATETIME?');
  expect(messages).toContain('MAX_TOOLS, OS');
  expect(prompt).toBeUndefined();
});

test.each([
  ['a branch not taken', '{% if MAX_TURNS > 9999 %}\n{{ nope }}\n{% endif %}'],
  ['a condition', '\n{% if nope %}x{% endif %}'],
  ['an argument', "\n{% render 'ok.md', who: nope %}"],
  ['a filter', '\n{{ USER | append: nope }}'],
  ['a loop', '\n{% for i in nope %}{% endfor %}'],
  ['a name every object has', '\n{{ constructor }}'],
  ['a part of a plain value', '\n{% if MAX_TURNS > 9999 %}{{ USER.name }}{% endif %}'],
])('unknown in %s', async (_, text) => {
  expect((await prepare(text, { 'ok.md': '' })).problems).toEqual(['prompt-invalid desk.ai:2']);
});

test.each([
  ['an unknown filter', '\n{{ USER | upcse }}', 'did you mean upcase?'],
  ['an unknown tag', '\n{% fi USER %}', 'the tag fi'],
  ['a frame around the file', "\n{% layout 'x.md' %}", 'the tag layout'],
  ['a tag that is not closed', '\n{% if USER %}\nx', '{% if USER %} not closed'],
  ['an output that is not closed', '\n{{ USER', 'not closed'],
  ['what is no Liquid', '\n{{"a": 1}}', 'expected'],
  ['a path that is none', "\n{% render 'a{{' %}", 'not closed'],
  ['a file named by a variable', '\n{% include USER %}', 'path in quotes'],
  ['a file named by a template', "\n{% render '{{ USER }}.md' %}", 'path in quotes'],
  ['what has no value when rendered', '\n{% assign p = USER | split: "," %}{{ p[7] }}', 'no value'],
])('%s', async (_, text, words) => {
  const { problems, messages } = await prepare(text);
  expect(problems).toEqual(['prompt-invalid desk.ai:2']);
  expect(messages).toContain(words);
});

test('in an included file it is the line of that file', async () => {
  const files = { 'parts/a.md': '1\n${include:b.md}', 'parts/b.md': '1\n2\n{{ nope }}' };
  expect((await prepare('\n${include:parts/a.md}', files, { firstLine: 9 })).problems).toEqual([
    'prompt-invalid parts/b.md:3',
  ]);
});

test('all of it at once', async () => {
  const text = '{{ one }}\n{{ two | upcse }}\n{{ OS | lowr }}\n${include:no.md}\n${include:a.md}';
  const { problems, all } = await prepare(text, { 'a.md': '{{ three }}\n{% render "no.md" %}' });
  expect(problems.toSorted()).toEqual([
    'file-missing a.md:2',
    'file-missing desk.ai:4',
    'prompt-invalid a.md:1',
    'prompt-invalid desk.ai:1',
    'prompt-invalid desk.ai:2',
    'prompt-invalid desk.ai:2',
    'prompt-invalid desk.ai:3',
  ]);
  expect(all.every(({ remedy }) => remedy.length > 0)).toBe(true);
});

test('a good branch that a trial does not take never ends a session', async () => {
  const text = '{% assign p = "a,b" | split: "," %}{% if MAX_TURNS == 7 %}[{{ p[MAX_TURNS] }}]{% endif %}';
  const { prompt } = await prepare(text);
  expect(prompt?.render(toVariables(factsOf()))).toBe('[]');
});

test.each([
  [
    'loops in loops',
    '{% for i in (1..9000) %}{% for j in (1..900) %}{% for k in (1..900) %}{% endfor %}{% endfor %}{% endfor %}',
  ],
  ['a list without end', '{% for i in (1..9999999999) %}{% endfor %}'],
  ['a text that doubles', '{% assign a = "xx" %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}'],
  ['a text again and again', "{% for i in (1..999999) %}{% include 'big.md' %}{% endfor %}"],
  ['more tags than a prompt has', '{{ USER }}'.repeat(90_000)],
  ['tags that never close', '{%'.repeat(900_000)],
])('%s are refused, not waited for', async (_, text) => {
  const { problems } = await prepare(text, { 'big.md': 'x'.repeat(1_000_000) });
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.every((problem) => problem.startsWith('prompt-invalid'))).toBe(true);
});

test('plain files that multiply are refused as well', async () => {
  const files = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`${n}.md`, n < 8 ? `\${include:${n + 1}.md}`.repeat(99) : 'x']),
  );
  expect((await prepare('${include:1.md}', files)).problems).toEqual(['prompt-invalid desk.ai:1']);
});
