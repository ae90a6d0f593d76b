// What stands in bodyTemplate is what is sent, with the arguments as values where they stand alone and as text in texts.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { describe, expect, test } from 'vitest';
import { call, openTool, serve } from './support/http-tools.ts';

async function sent(
  config: Record<string, unknown>,
  args: unknown,
): Promise<{ type?: string; body: string; method?: string }> {
  const { url, heard } = await serve();
  const tool = await openTool({ method: 'POST', url, ...config });
  expect(await call(tool, args)).toBe('ok');
  const [{ headers, body, method } = { headers: {}, body: Buffer.alloc(0), method: '' }] = heard;
  return {
    ...(headers['content-type'] === undefined ? {} : { type: headers['content-type'] }),
    body: String(body),
    method,
  };
}

describe('JSON', () => {
  const args = { list: [1, 'b'], text: 'say "hi"\n', n: 3, deep: { er: { x: true } }, nothing: null };

  test('one placeholder is the value itself', async () => {
    const { type, body } = await sent({ bodyTemplate: '${parameters.deep}' }, args);
    expect([type, JSON.parse(body)]).toEqual(['application/json', { er: { x: true } }]);
  });

  test('fields and items are filled; those without their argument are gone', async () => {
    const bodyTemplate = {
      list: '${parameters.list}',
      in: { n: '${parameters.n}', words: 'n=${parameters.n} ${parameters.text}', x: '${parameters.deep.er.x}' },
      gone: '${parameters.missing}',
      goneToo: 'a ${parameters.missing}',
      items: ['${parameters.missing}', '${parameters.nothing}', 'fixed', 4, null],
    };
    expect(JSON.parse((await sent({ bodyTemplate }, args)).body)).toEqual({
      list: [1, 'b'],
      in: { n: 3, words: 'n=3 say "hi"\n', x: true },
      items: [null, 'fixed', 4, null],
    });
  });

  test('JSON written as text cannot be broken out of', async () => {
    const bodyTemplate = '{"q": "say ${parameters.text}", "n": ${parameters.n}, "alone": "${parameters.list}"}';
    expect(JSON.parse((await sent({ bodyTemplate }, args)).body)).toEqual({
      q: 'say say "hi"\n',
      n: 3,
      alone: [1, 'b'],
    });
  });

  test('a key is filled too, and gone without its argument', async () => {
    const bodyTemplate = { '${parameters.text}': 1, 'n-${parameters.n}': { '${parameters.missing}': 2 } };
    expect(JSON.parse((await sent({ bodyTemplate }, args)).body)).toEqual({ 'say "hi"\n': 1, 'n-3': {} });
    expect((await openTool({ url: 'https://a.example', bodyTemplate })).inputSchema).toMatchObject({
      properties: { text: {}, n: {}, missing: {} },
    });
  });

  test('a kind of JSON is JSON, and a plain text is a JSON text', async () => {
    const headers = { 'content-type': 'application/vnd.api+json; charset=utf-8' };
    expect(await sent({ headers, bodyTemplate: 'hello ${parameters.n}' }, args)).toMatchObject({
      type: 'application/vnd.api+json; charset=utf-8',
      body: '"hello 3"',
    });
  });
});

test('a form from an object, and from a text', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const args = { a: 'x&y=z ü', list: [1, 2] };
  const object = await sent(
    { headers, bodyTemplate: { a: '${parameters.a}', l: '${parameters.list}', no: '${parameters.no}' } },
    args,
  );
  expect([...new URLSearchParams(object.body)]).toEqual([
    ['a', 'x&y=z ü'],
    ['l', '1'],
    ['l', '2'],
  ]);
  const text = await sent({ headers, bodyTemplate: 'a=${parameters.a}&no=${parameters.no}&b=1' }, args);
  expect([...new URLSearchParams(text.body)]).toEqual([
    ['a', 'x&y=z ü'],
    ['b', '1'],
  ]);
});

test('text is text', async () => {
  const headers = { 'Content-Type': 'text/plain' };
  const { type, body } = await sent(
    { headers, bodyTemplate: 'Dear ${parameters.who}: ${parameters.n}' },
    { who: 'Ann "x"', n: [1] },
  );
  expect([type, body]).toEqual(['text/plain', 'Dear Ann "x": [1]']);
});

test('nothing is sent where there is no body to send', async () => {
  for (const method of ['GET', 'DELETE']) expect(await sent({ method }, {})).toEqual({ body: '', method });
  expect(await sent({ method: 'GET', bodyTemplate: { a: 1 } }, {})).toEqual({ body: '', method: 'GET' });
  expect(await sent({ bodyTemplate: '${parameters.no}' }, {})).toEqual({ body: '', method: 'POST' });
  expect((await sent({ method: 'DELETE', bodyTemplate: { a: 1 } }, {})).body).toBe('{"a":1}');
});
