// A value is put in and never looked at again, whatever is in it and however it got there.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { host, render } from './support/prompts.ts';

const hostile = ['${USER}', '{{USER}}', '{{ nope }}', '${include:/etc/passwd}', "{% render 'x' %}", '$&$1', '$'];

test.each(hostile)('%s as a host name', async (hostname) => {
  const facts = { host: { ...host, hostname } };
  expect(await render('<${HOSTNAME}>', {}, facts)).toBe(`<${hostname}>`);
  expect(await render('<${HOSTNAME}|{{ HOSTNAME }}>', {}, facts)).toBe(`<${hostname}|${hostname}>`);
  const captured = '{% capture c %}{{ HOSTNAME }}|${HOSTNAME}{% endcapture %}{{ c }}';
  expect(await render(captured, {}, facts)).toBe(`${hostname}|${hostname}`);
  expect(await render("{% render 'a.md', h: HOSTNAME %}", { 'a.md': '{{ h }}' }, facts)).toBe(hostname);
});

test('a value and the text beside it make no variable', async () => {
  const facts = { host: { ...host, hostname: '$', user: '{OS}' } };
  expect(await render('{{ HOSTNAME }}{OS} ${HOSTNAME}{OS} $${USER} ${{ USER }}', {}, facts)).toBe(
    '${OS} ${OS} ${OS} ${OS}',
  );
});
