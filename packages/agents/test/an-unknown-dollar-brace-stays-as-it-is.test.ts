// Only the names of the table are replaced; every other ${…} is text, and the environment is never a source.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { render } from './support/prompts.ts';

const texts = [
  '${user}',
  '${UNKNOWN}',
  '${PATH}',
  '${HOME}',
  '${a.b[0]}',
  '${ USER }',
  '${USER:-x}',
  '${}',
  '${',
  '$USER',
  '${USER',
];

test.each(texts)('%s in a plain prompt', async (text) => {
  expect(await render(`a ${text} b`)).toBe(`a ${text} b`);
});

test.each(texts)('%s in a template and in what it includes', async (text) => {
  expect(await render(`{{ DAY }} ${text} \${include:a.md}`, { 'a.md': `a ${text} b` })).toBe(
    `Saturday ${text} a ${text} b`,
  );
});

test('a variable of the environment is not known to a template either', async () => {
  expect(await render('{{ PATH }}')).toContain('the variable PATH, which is not known here');
});

test('braces around a name that is known are text', async () => {
  expect(await render('{${USER}} {{ DAY }} $${OS}')).toBe('{ada} Saturday $linux');
});
