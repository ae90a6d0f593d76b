// Each place, style and explode of OpenAPI as its specification's examples write them.

import { expect, test } from 'vitest';
import { call, failureIn, openSpec, serve } from './support/http-tools.ts';

const list = ['blue', 'black', 'a,b&c'];
const object = { R: 100, G: 'x y' };

async function sent(parameters: readonly Record<string, unknown>[], args: unknown, path = '/') {
  const { url, heard } = await serve();
  const { tools } = await openSpec(
    { paths: { [path]: { get: { parameters, responses: {} } } } },
    { config: { baseUrl: url } },
  );
  expect(await call(tools[0], args)).toBe('ok');
  return heard[0] ?? { target: '', headers: {} as Record<string, string> };
}

const any = { schema: {} };

test.each<[string, boolean | undefined, unknown, string]>([
  ['simple', undefined, 'a/b', 'a%2Fb'],
  ['simple', false, list, 'blue,black,a%2Cb%26c'],
  ['simple', true, list, 'blue,black,a%2Cb%26c'],
  ['simple', undefined, object, 'R,100,G,x%20y'],
  ['simple', true, object, 'R=100,G=x%20y'],
  ['label', undefined, 5, '.5'],
  ['label', false, list, '.blue,black,a%2Cb%26c'],
  ['label', true, list, '.blue.black.a%2Cb%26c'],
  ['label', false, object, '.R,100,G,x%20y'],
  ['label', true, object, '.R=100.G=x%20y'],
  ['matrix', undefined, 'v', ';color=v'],
  ['matrix', undefined, '', ';color'],
  ['matrix', false, list, ';color=blue,black,a%2Cb%26c'],
  ['matrix', true, list, ';color=blue;color=black;color=a%2Cb%26c'],
  ['matrix', false, object, ';color=R,100,G,x%20y'],
  ['matrix', true, object, ';R=100;G=x%20y'],
])('path, %s, explode %s: %j', async (style, explode, value, written) => {
  const { target } = await sent(
    [{ name: 'color', in: 'path', style, explode, ...any }],
    { color: value },
    '/a/{color}/b',
  );
  expect(target).toBe(`/a/${written}/b`);
});

test.each<[string | undefined, boolean | undefined, unknown, string]>([
  [undefined, undefined, 'a b&c', '?color=a%20b%26c'],
  [undefined, undefined, 5, '?color=5'],
  [undefined, undefined, false, '?color=false'],
  [undefined, undefined, '', '?color='],
  [undefined, undefined, [], ''],
  [undefined, undefined, null, ''],
  ['form', undefined, list, '?color=blue&color=black&color=a%2Cb%26c'],
  ['form', false, list, '?color=blue,black,a%2Cb%26c'],
  ['form', true, object, '?R=100&G=x%20y'],
  ['form', false, object, '?color=R,100,G,x%20y'],
  ['spaceDelimited', undefined, list, '?color=blue%20black%20a%2Cb%26c'],
  ['spaceDelimited', false, object, '?color=R%20100%20G%20x%20y'],
  ['spaceDelimited', true, list, '?color=blue&color=black&color=a%2Cb%26c'],
  ['pipeDelimited', false, list, '?color=blue%7Cblack%7Ca%2Cb%26c'],
  ['deepObject', true, object, '?color%5BR%5D=100&color%5BG%5D=x%20y'],
  ['deepObject', true, { a: { b: [1, 2] } }, '?color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2'],
])('query, %s, explode %s: %j', async (style, explode, value, written) => {
  const { target } = await sent([{ name: 'color', in: 'query', style, explode, ...any }], { color: value });
  expect(target).toBe(`/${written}`);
});

test('reserved signs stay where the document allows it, but none that ends the value', async () => {
  const { target } = await sent([{ name: 'at', in: 'query', allowReserved: true, ...any }], {
    at: "a/b:c?d@e&f=g#h+i'j[k]",
  });
  expect(target).toBe('/?at=a/b:c?d@e%26f%3Dg%23h%2Bi%27j%5Bk%5D');
  const path = await sent([{ name: 'p', in: 'path', allowReserved: true, ...any }], { p: 'a/b?c' }, '/x/{p}');
  expect(path.target).toBe('/x/a%2Fb%3Fc');
});

test('a parameter with a content type is JSON', async () => {
  const content = { 'application/json': { schema: {} } };
  const parameters = [
    { name: 'q', in: 'query', content },
    { name: 'X-H', in: 'header', content },
  ];
  const { target, headers } = await sent(parameters, { q: { a: [1] }, 'X-H': [true] });
  expect(target).toBe('/?q=%7B%22a%22%3A%5B1%5D%7D');
  expect(headers['x-h']).toBe('[true]');
});

test('headers and cookies', async () => {
  const parameters = [
    { name: 'X-One', in: 'header', ...any },
    { name: 'X-List', in: 'header', ...any },
    { name: 'X-Object', in: 'header', explode: true, ...any },
    { name: 'sid', in: 'cookie', ...any },
    { name: 'ids', in: 'cookie', explode: false, ...any },
    { name: 'Authorization', in: 'header', ...any },
  ];
  const args = {
    'X-One': 'a b',
    'X-List': [1, 'b'],
    'X-Object': object,
    sid: 'a;b',
    ids: [1, 2],
    Authorization: 'mine',
  };
  const { headers } = await sent(parameters, args);
  expect(headers).toMatchObject({
    'x-one': 'a b',
    'x-list': '1,b',
    'x-object': 'R=100,G=x y',
    cookie: 'sid=a%3Bb; ids=1,2',
  });
  expect(headers).not.toHaveProperty('authorization');
});

test('nothing is sent that would be another request', async () => {
  const { url, heard } = await serve();
  const parameters = [
    { name: 'id', in: 'path', ...any },
    { name: 'X-H', in: 'header', ...any },
  ];
  const { tools } = await openSpec(
    { paths: { '/a/{id}': { get: { parameters, responses: {} } } } },
    { config: { baseUrl: url } },
  );
  for (const args of [{ id: '..' }, { id: '.' }, { id: '' }, {}, { id: [] }, { id: 'a', 'X-H': 'a\r\nb: c' }])
    expect(failureIn(await call(tools[0], args)).code).toBe('tool-arguments-invalid');
  expect(heard).toEqual([]);
});

test('what has a content type that is not JSON is text', async () => {
  const content = { 'text/plain': { schema: { type: 'string' } } };
  const parameters = ['query', 'header', 'path'].map((place) => ({ name: place, in: place, content }));
  const { target, headers } = await sent(parameters, { query: 'a b', header: 'c d', path: 'e f' }, '/{path}');
  expect([target, headers.header]).toEqual(['/e%20f?query=a%20b', 'c d']);
});

test('a query that stands in the path of a document stays', async () => {
  const parameters = [
    { name: 'q', in: 'query', ...any },
    { name: 'id', in: 'path', ...any },
  ];
  const { target } = await sent(parameters, { q: 'x', id: 'a&b' }, '/search?type=pets&id={id}');
  expect(target).toBe('/search?type=pets&id=a%26b&q=x');
});
