// A body goes out in the content type that its operation takes.

import { expect, test } from 'vitest';
import { call, failureIn, openSpec, serve } from './support/http-tools.ts';

async function open(content: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const { url, heard } = await serve();
  const { tools } = await openSpec(
    { paths: { '/x': { post: { requestBody: { required: true, content }, responses: {} } } }, ...more },
    { config: { baseUrl: url } },
  );
  const [tool] = tools;
  const send = async (body: unknown) => {
    heard.length = 0;
    expect(await call(tool, { body })).toBe('ok');
    return { type: heard[0]?.headers['content-type'] ?? '', body: heard[0]?.body ?? Buffer.alloc(0) };
  };
  return { tool, send };
}

const object = { schema: { type: 'object' } };

test('JSON before others, and as it is called', async () => {
  const plain = await (
    await open({ 'multipart/form-data': object, 'text/plain': object, 'application/json': object })
  ).send({ a: 1 });
  expect([plain.type, String(plain.body)]).toEqual(['application/json', '{"a":1}']);
  expect((await (await open({ 'application/merge-patch+json': object })).send([1])).type).toBe(
    'application/merge-patch+json',
  );
  expect((await (await open({ '*/*': object })).send('x')).type).toBe('application/json');
});

test('a form', async () => {
  const media = { ...object, encoding: { deep: { style: 'deepObject', explode: true }, flat: { explode: false } } };
  const { send } = await open({ 'application/x-www-form-urlencoded': media });
  const { type, body } = await send({ a: 'x&y', list: [1, 2], flat: [1, 2], object: { k: 1 }, deep: { k: 1 } });
  expect(type).toBe('application/x-www-form-urlencoded');
  expect(String(body)).toBe('a=x%26y&list=1&list=2&flat=1,2&object=%7B%22k%22%3A1%7D&deep%5Bk%5D=1');
});

test.each(['3.0.3', '3.1.0'])('parts, with files, in %s', async (openapi) => {
  const binary = openapi === '3.0.3' ? { type: 'string', format: 'binary' } : { contentMediaType: 'image/png' };
  const properties = {
    file: binary,
    more: { type: 'array', items: binary },
    note: { type: 'string' },
    meta: { type: 'object' },
    ids: { type: 'array', items: { type: 'integer' } },
  };
  const components = { schemas: { Upload: { type: 'object', properties } } };
  const media = { schema: { $ref: '#/components/schemas/Upload' }, encoding: { more: { contentType: 'text/csv' } } };
  const { send, tool } = await open({ 'multipart/form-data': media }, { openapi, components });
  expect(tool?.inputSchema).toMatchObject({
    properties: {
      body: { properties: { file: { anyOf: [{ contentEncoding: 'base64' }, {}] }, note: { type: 'string' } } },
    },
  });
  const bytes = Buffer.from([0, 255, 13, 10, 7]);
  const { type, body } = await send({
    file: bytes.toString('base64'),
    more: [{ text: 'ä,b', filename: 'q"1.csv' }, { base64: 'eA==' }],
    note: 'hi\r\n--x',
    meta: { a: 1 },
    ids: [1, 2],
  });
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = form.get('file') as File;
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
  expect([file.name, file.type]).toEqual(['file', 'application/octet-stream']);
  const more = form.getAll('more') as File[];
  expect(await Promise.all(more.map(async (one) => [one.name, one.type, await one.text()]))).toEqual([
    ['q"1.csv', 'text/csv', 'ä,b'],
    ['more', 'text/csv', 'x'],
  ]);
  expect([form.get('note'), form.get('meta'), form.getAll('ids')]).toEqual(['hi\r\n--x', '{"a":1}', ['1', '2']]);
});

test('a file in a schema that others are made of', async () => {
  const file = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
  const schema = { allOf: [{ $ref: '#/components/schemas/WithFile' }, { properties: { note: { type: 'string' } } }] };
  const { send } = await open({ 'multipart/form-data': { schema } }, { components: { schemas: { WithFile: file } } });
  const { type, body } = await send({ file: 'AP8=', note: 'AP8=' });
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  expect(Buffer.from(await (form.get('file') as File).arrayBuffer())).toEqual(Buffer.from([0, 255]));
  expect(form.get('note')).toBe('AP8=');
});

test('text, and bytes', async () => {
  const text = await open({ 'text/plain': { schema: { type: 'string', maxLength: 9 } } });
  expect(text.tool?.inputSchema).toMatchObject({ properties: { body: { type: 'string', maxLength: 9 } } });
  expect(String((await text.send('grüß')).body)).toBe('grüß');
  const xml = await open({ 'application/xml': object });
  expect(xml.tool?.inputSchema).toMatchObject({ properties: { body: { type: 'string' } } });
  expect((await xml.send('<a/>')).type).toBe('application/xml');
  const bytes = await open({ 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } });
  expect((await bytes.send('AP8=')).body).toEqual(Buffer.from([0, 255]));
});

test('what is no file, and no form, is not sent', async () => {
  const bytes = await open({ 'application/octet-stream': {} });
  expect(failureIn(await call(bytes.tool, { body: 'no base64!' })).message).toContain('base64');
  const form = await open({ 'application/x-www-form-urlencoded': object });
  expect(failureIn(await call(form.tool, { body: 'a=b' })).code).toBe('tool-arguments-invalid');
});

test('a body that need not be there', async () => {
  const { tool } = await open({ 'application/json': object });
  expect(tool?.inputSchema.required).toEqual(['body']);
  const { url, heard } = await serve();
  const requestBody = { content: { 'application/json': object } };
  const { tools } = await openSpec(
    { paths: { '/x': { post: { requestBody, responses: {} } } } },
    { config: { baseUrl: url } },
  );
  expect(tools[0]?.inputSchema).not.toHaveProperty('required');
  await call(tools[0], {});
  expect(heard[0]?.body).toHaveLength(0);
  expect(heard[0]?.headers).not.toHaveProperty('content-type');
});

test('a body of GET and HEAD is not asked for, and that is said', async () => {
  const { url, heard } = await serve();
  const operation = { requestBody: { required: true, content: { 'application/json': object } }, responses: {} };
  const { tools } = await openSpec(
    { paths: { '/x': { get: operation, head: { ...operation, summary: 'Looks' }, delete: operation } } },
    { config: { baseUrl: url } },
  );
  const [get, remove, head] = tools;
  const note = 'The document describes a body for it, which is not sent with';
  expect([get?.description, head?.description]).toEqual([`GET /x\n\n${note} GET.`, `Looks\n\n${note} HEAD.`]);
  for (const tool of [get, head])
    expect(tool?.inputSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  expect(remove?.inputSchema.required).toEqual(['body']);
  expect(await call(get, { body: { a: 1 } })).toBe('ok');
  expect(heard[0]?.body).toHaveLength(0);
});

test.each([
  ['image/png, image/jpeg', 'image/jpeg', 'image/jpeg'],
  ['image/png, image/jpeg', 'text/html', 'image/png'],
  ['image/png, image/jpeg', undefined, 'image/png'],
  ['image/*', 'Image/WebP', 'Image/WebP'],
  ['image/*', 'text/html', 'application/octet-stream'],
  ['image/*, text/csv', undefined, 'text/csv'],
  ['*/*', 'text/html; charset=utf-8', 'text/html; charset=utf-8'],
  ['*/*', undefined, 'application/octet-stream'],
])('a file for %s that is called %s is sent as %s', async (contentType, called, sentAs) => {
  const schema = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
  const { send } = await open({ 'multipart/form-data': { schema, encoding: { file: { contentType } } } });
  const { body } = await send({ file: { text: 'x', ...(called ? { contentType: called } : {}) } });
  expect(/^Content-Type: (.*)\r$/m.exec(String(body))?.[1]).toBe(sentAs);
});

test('a field that is no file says no range either', async () => {
  const encoding = { note: { contentType: 'text/*' }, meta: { contentType: 'application/*' } };
  const { send } = await open({ 'multipart/form-data': { ...object, encoding } });
  const { body } = await send({ note: 'hi', meta: { a: 1 } });
  expect([...String(body).matchAll(/^Content-Type: (.*)\r$/gm)].map(([, type]) => type)).toEqual(['application/json']);
});
