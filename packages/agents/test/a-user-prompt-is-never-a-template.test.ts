// What a user asks keeps every character but six names that both syntaxes have; nothing in it can fail.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { fillPrompt, promptVariables, toVariables } from '../src/prompt/variables.ts';
import { factsOf, host } from './support/prompts.ts';

const variables = toVariables(factsOf({ host: { ...host, user: 'ada' } }));

test('six names, in both syntaxes', () => {
  const six = ['DATETIME', 'TIMESTAMP', 'DAY', 'TIMEZONE', 'MAX_TURNS', 'MAX_TOOLS'];
  const asked = six.flatMap((name) => [`\${${name}}`, `{{${name}}}`]).join(' ');
  const [at, seconds] = ['2026-01-31T09:30:15+00:00', 1769851815];
  expect(fillPrompt(asked, variables)).toBe(`${at} ${at} ${seconds} ${seconds} Saturday Saturday UTC UTC 7 7 3 3`);
});

test.each([
  ...promptVariables.slice(6).flatMap(({ name }) => [`\${${name}}`, `{{${name}}}`]),
  '{{ nope }}',
  '{% raw %}',
  '{% render "x" %}',
  '${include:/etc/passwd}',
  '{{include:x}}',
  '${day} ${DAY ${}',
  '{{',
  '\n\n\n\n a \n',
])('%j is untouched', (text) => {
  expect(fillPrompt(text, variables)).toBe(text);
});

test('values are inserted once', () => {
  expect(fillPrompt('${DAY}', { ...variables, DAY: '{{TIMEZONE}}${TIMEZONE}$&' })).toBe('{{TIMEZONE}}${TIMEZONE}$&');
});

test('times are those of UTC, at the border of a day too', () => {
  const early = toVariables(factsOf({ now: Date.UTC(2026, 1, 1) - 1 }));
  expect([early.DATETIME, early.TIMESTAMP, early.DAY]).toEqual(['2026-01-31T23:59:59+00:00', 1769903999, 'Saturday']);
});
