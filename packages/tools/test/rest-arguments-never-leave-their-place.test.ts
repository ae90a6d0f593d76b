// An argument in an address or a header is a value there, whatever is written in it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, failureIn, openTool, serve } from './support/http-tools.ts';

test('any text in a path is one segment, and any text in a query one value', async () => {
  const { url, heard } = await serve();
  const tool = await openTool({ url: `${url}/users/\${parameters.id}/notes?q=\${parameters.q}&fixed=1` });
  const nasty = fc.constantFrom(
    'a/b..c/d',
    '?x=1',
    '#x',
    '@evil.example',
    '//evil.example',
    '%2e%2e',
    '..%2f',
    'a&fixed=2',
    '\\',
    '\r\n',
  );
  const text = fc
    .oneof(nasty, fc.string({ unit: 'grapheme', minLength: 1 }))
    .filter((one) => !one.split(/[/\\]/).some((part) => part === '.' || part === '..'));
  await fc.assert(
    fc.asyncProperty(text, text, async (id, q) => {
      heard.length = 0;
      expect(await call(tool, { id, q })).toBe('ok');
      const { pathname, searchParams } = new URL(heard[0]?.target ?? '', url);
      const segments = pathname.split('/');
      expect(segments).toHaveLength(4);
      expect(decodeURIComponent(segments[2] ?? '')).toBe(id.toWellFormed());
      expect([...searchParams]).toEqual([
        ['q', q.toWellFormed()],
        ['fixed', '1'],
      ]);
    }),
    { numRuns: 150 },
  );
});

test('a path that would walk away, or stop early, is not asked for', async () => {
  const { url, heard } = await serve();
  const tool = await openTool({ url: `${url}/users/\${parameters.a}\${parameters.b}` });
  for (const [a, b] of [
    ['.', '.'],
    ['..', ''],
    ['', ''],
    ['', '.'],
    ['../admin', ''],
    ['a/..', '/b'],
    ['a\\..', '\\b'],
    ['./', 'a'],
  ]) {
    const failure = failureIn(await call(tool, { a, b }));
    expect(failure).toMatchObject({ code: 'tool-arguments-invalid', class: 'tool' });
  }
  expect(failureIn(await call(tool, { a: '1' })).message).toContain('"b"');
  expect(heard).toEqual([]);
});

test('what is not given is left out of the query, and a list has commas', async () => {
  const { url, heard } = await serve();
  const tool = await openTool({
    url: `${url}/?a=\${parameters.a}&b=\${parameters.b}&c=\${parameters.c}`,
    parametersSchema: { type: 'object', properties: { a: {}, b: {}, c: { default: 7 } } },
  });
  await call(tool, {});
  await call(tool, { a: null, b: [1, 2], c: 0 });
  await call(tool, { a: false, b: { x: 1 } });
  expect(heard.map(({ target }) => target)).toEqual(['/?c=7', '/?b=1%2C2&c=0', '/?a=false&b=%7B%22x%22%3A1%7D&c=7']);
});

test('a header is one header', async () => {
  const { url, heard } = await serve();
  const tool = await openTool({ url, headers: { 'X-Who': 'user ${parameters.who}', 'X-Why': '${parameters.why}' } });
  for (const who of ['a\r\nX-Evil: 1', 'a\nb', 'a\u0000b', '名'])
    expect(failureIn(await call(tool, { who })).message).toContain('X-Who');
  expect(heard).toEqual([]);
  await call(tool, { who: 'Ann' });
  expect(heard[0]?.headers['x-who']).toBe('user Ann');
  expect(heard[0]?.headers).not.toHaveProperty('x-why');
});

test('a variable in a value of the query stays there', async () => {
  const { url, heard } = await serve();
  const tool = await openTool(
    { url: `${url}/\${PLACE}?\${MORE}&key=\${API_KEY}&q=\${parameters.q}` },
    { env: { API_KEY: 'ab+c#de&f=1${parameters.q}', PLACE: 'a/b', MORE: 'x=1&y=2' } },
  );
  await call(tool, { q: 'z' });
  const { pathname, searchParams } = new URL(heard[0]?.target ?? '', url);
  expect(pathname).toBe('/a/b');
  expect([...searchParams]).toEqual([
    ['x', '1'],
    ['y', '2'],
    ['key', 'ab+c#de&f=1${parameters.q}'],
    ['q', 'z'],
  ]);
});
