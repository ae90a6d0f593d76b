// Data comes as data, text as text in its own letters, pictures as files; what else there is, is named with its size.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { call, openTool, serve } from './support/http-tools.ts';

async function answered(
  type: string | undefined,
  body: string | Uint8Array,
  more: { status?: number; method?: string; headers?: Record<string, string> } = {},
) {
  const { url } = await serve((_, response) => {
    response.writeHead(more.status ?? 200, {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...more.headers,
    });
    response.end(body);
  });
  return await call(await openTool({ url, method: more.method ?? 'GET' }));
}

test('JSON, and its kinds', async () => {
  expect(await answered('application/json', '{"a":[1,null]}')).toEqual({ type: 'json', value: { a: [1, null] } });
  expect(await answered('application/problem+json; charset=utf-8', '"x"')).toEqual({ type: 'json', value: 'x' });
  expect(await answered('application/json', '\uFEFF{"a":1}')).toEqual({ type: 'json', value: { a: 1 } });
});

test('what is called JSON and is none', async () => {
  expect(await answered('application/json', '{oops')).toMatch(/^\{oops\n\[The server called this JSON/);
});

test('numbers that nobody here can hold', async () => {
  for (const text of ['{"id": 12345678901234567891}', '[-9007199254740993]', '{"a": [1e999]}', '{"a":"b","n":-1E+400}'])
    expect(await answered('application/json', text)).toBe(text);
  const kept =
    '{"id":9007199254740991,"even":9007199254740994,"pi":3.14159265358979323846,"far":1e300,"key":"123456789012345678"}';
  expect(await answered('application/json', kept)).toEqual({ type: 'json', value: JSON.parse(kept) });
});

test('text in its own letters', async () => {
  expect(await answered('text/plain; charset=ISO-8859-1', Buffer.from([0x67, 0x72, 0xfc, 0xdf]))).toBe('grüß');
  expect(await answered('text/html; charset="shift_jis"', Buffer.from([0x82, 0xa0]))).toBe('あ');
  expect(await answered('text/plain; charset=nonsense', 'grüß')).toBe('grüß');
  expect(await answered('application/xml', '<a/>')).toBe('<a/>');
  expect(await answered(undefined, 'plain')).toBe('plain');
});

test('packed on the way', async () => {
  const headers = { 'content-encoding': 'gzip' };
  expect(await answered('application/json', gzipSync('[1]'), { headers })).toEqual({ type: 'json', value: [1] });
});

test('a picture is a file', async () => {
  const bytes = Buffer.from('89504e470d0a1a0a00', 'hex');
  expect(await answered('image/png', bytes)).toEqual({
    type: 'text',
    value: 'image/png, 9 bytes',
    files: [{ type: 'file', mediaType: 'image/png', data: bytes.toString('base64') }],
  });
  expect(await answered('image/svg+xml', '<svg/>')).toBe('<svg/>');
});

test('a picture is what its bytes say', async () => {
  const files = {
    'image/jpeg': 'ffd8ffe000',
    'image/gif': '474946383961',
    'image/webp': '524946460000000057454250',
  };
  for (const [mediaType, hex] of Object.entries(files))
    expect(await answered('image/png', Buffer.from(hex, 'hex'))).toMatchObject({ files: [{ mediaType }] });
  for (const type of ['image/png', 'image/tiff', 'image/heic'])
    expect(await answered(type, Buffer.from('<html>no'))).toBe(`${type}, 8 bytes. This is no text and is not shown.`);
});

test('other bytes are named', async () => {
  expect(await answered('application/pdf', Buffer.from([0x25, 0, 1]))).toMatch(/^application\/pdf, 3 bytes/);
  expect(await answered(undefined, Buffer.from([0xff, 0, 1, 2]))).toMatch(/4 bytes/);
});

test('nothing', async () => {
  expect(await answered(undefined, '', { status: 204 })).toBe('HTTP 204, without content.');
});

test('HEAD gives what was said before the body', async () => {
  const output = await answered('text/plain', '', { method: 'HEAD', headers: { etag: '"7"', 'set-cookie': 'a=b' } });
  expect(output).toMatchObject({
    type: 'json',
    value: { status: 200, headers: { etag: '"7"', 'content-type': 'text/plain' } },
  });
  expect(JSON.stringify(output)).not.toContain('a=b');
});

test('no more than ten million bytes are read, and that is said', async () => {
  let wasClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    wasClosed = resolve;
  });
  const piece = Buffer.alloc(1_000_000, 'a');
  const { url } = await serve((_, response) => {
    response.setHeader('content-type', 'text/plain');
    response.on('close', wasClosed);
    const flood = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', flood);
    flood();
  });
  const output = await call(await openTool({ url }));
  expect(output).toHaveLength(10_000_000 + '\n[Only the first 10000000 bytes were read.]'.length);
  await closed;
});
