import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { toOutput } from '../src/mcp/content.ts';
import { mendContent } from '../src/mcp/mend-content.ts';
import { odd, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

const text = (words: string) => ({ type: 'text' as const, text: words });
const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
const image = (bytes: number) => ({ type: 'image' as const, mimeType: 'image/png', data: base64(bytes) });
const blob = (uri: string, mimeType: string, data = base64(3)) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, blob: data },
});

test.each<[string, Partial<CallToolResult>, unknown]>([
  ['nothing', {}, { type: 'text', value: '(no content)' }],
  ['texts', { content: [text('one'), text('two')] }, { type: 'text', value: 'one\n\ntwo' }],
  ['data alone', { structuredContent: { a: 1 } }, { type: 'json', value: { a: 1 } }],
  [
    'data that is also said as text',
    { content: [text('{ "b": [2],\n "a": 1 }')], structuredContent: { a: 1, b: [2] } },
    { type: 'json', value: { a: 1, b: [2] } },
  ],
  [
    'data that is the text in a wrapping',
    { content: [text('a long file')], structuredContent: { content: 'a long file' } },
    { type: 'text', value: 'a long file' },
  ],
  [
    'data beside a text that says something else',
    { content: [text('Two rows.')], structuredContent: { rows: [1, 2] } },
    { type: 'text', value: 'Two rows.\n\n{"rows":[1,2]}' },
  ],
  [
    'data in words that happen to be in the content',
    { content: [text('hello')], structuredContent: { kind: 'text' } },
    { type: 'text', value: 'hello\n\n{"kind":"text"}' },
  ],
  [
    'data that is empty beside a text',
    { content: [text('None found.')], structuredContent: { rows: [] } },
    { type: 'text', value: 'None found.\n\n{"rows":[]}' },
  ],
  [
    'a picture',
    { content: [image(3)] },
    {
      type: 'text',
      value: '(image image-1.png, image/png, 3 bytes)',
      files: [{ type: 'file', mediaType: 'image/png', data: base64(3), name: 'image-1.png' }],
    },
  ],
  [
    'a picture that is in the data again',
    { content: [image(3)], structuredContent: { content: [image(3)] } },
    {
      type: 'text',
      value: '(image image-1.png, image/png, 3 bytes)',
      files: [{ type: 'file', mediaType: 'image/png', data: base64(3), name: 'image-1.png' }],
    },
  ],
  [
    'a picture with data of its own',
    { content: [image(3)], structuredContent: { width: 1 } },
    {
      type: 'json',
      value: { width: 1 },
      files: [{ type: 'file', mediaType: 'image/png', data: base64(3), name: 'image-1.png' }],
    },
  ],
  [
    'sound',
    { content: [{ type: 'audio', mimeType: 'audio/mpeg', data: base64(6) }] },
    {
      type: 'text',
      value: '(audio audio-1.mpeg, audio/mpeg, 6 bytes)',
      files: [{ type: 'file', mediaType: 'audio/mpeg', data: base64(6), name: 'audio-1.mpeg' }],
    },
  ],
  [
    'a document',
    { content: [blob('file:///reports/q3.pdf?x=1', 'application/pdf')] },
    {
      type: 'text',
      value: '(document q3.pdf, application/pdf, 3 bytes)',
      files: [{ type: 'file', mediaType: 'application/pdf', data: base64(3), name: 'q3.pdf' }],
    },
  ],
  [
    'a program',
    { content: [blob('file:///bin/tool', 'application/x-elf')] },
    {
      type: 'text',
      value: '(the resource file:///bin/tool, application/x-elf, 3 bytes, which only programs can read)',
    },
  ],
  [
    'text that came as bytes',
    { content: [blob('note://1', 'text/plain', Buffer.from('grüße').toString('base64'))] },
    { type: 'text', value: 'Resource note://1:\ngrüße' },
  ],
  [
    'a picture that is none',
    { content: [{ type: 'image', mimeType: 'image/png', data: 'not base64!' }] },
    { type: 'text', value: '(an image, image/png, 8 bytes, which is damaged)' },
  ],
  [
    'a part from the future',
    { content: [text('x'), { type: 'hologram', data: '' } as never] },
    { type: 'text', value: 'x\n\n(a part of the type "hologram", which nobody here can read)' },
  ],
])('%s', (_, result, expected) => {
  expect(toOutput(result as CallToolResult)).toEqual(expected);
});

test('files that are too much together are named instead', () => {
  const output = toOutput({ content: [image(6_000_000), image(6_000_000), image(30)] });
  expect(output).toMatchObject({ files: [{ name: 'image-1.png' }, { name: 'image-2.png' }] });
  expect((output as { value: string }).value).toBe(
    [
      '(image image-1.png, image/png, 6000 kB)',
      '(an image, image/png, 6000 kB, which is too large to be shown)',
      '(image image-2.png, image/png, 30 bytes)',
    ].join('\n\n'),
  );
});

test('what a server calls an error is a failure with its words', () => {
  expect(toOutput({ isError: true, content: [text('No such file.')] })).toMatchObject({
    type: 'failure',
    failure: { class: 'tool', code: 'tool-failed', message: 'No such file.' },
  });
  expect(toOutput({ isError: true, content: [], structuredContent: { code: 7 } })).toMatchObject({
    failure: { message: '{"code":7}' },
  });
  expect(toOutput({ isError: true, content: [] })).toMatchObject({
    failure: { message: 'The tool says that it failed, and not why.' },
  });
  const long = `first line\n${'x'.repeat(5_000)}`;
  const output = toOutput({ isError: true, content: [text(long)] });
  expect(output).toMatchObject({ type: 'failure', text: long });
  expect((output as { failure: { message: string } }).failure.message.length).toBeLessThan(600);
});

test('parts that are none of the protocol leave the others their place', async () => {
  const { results } = await walkWith({ server: 'odd', config: started(odd), script: calling({ name: 'odd__naked' }) });
  expect(results[0]).toMatchObject({ isError: false });
  expect(results[0]?.text.split('\n\n')).toEqual([
    'first',
    '(a part of the type "hologram", which nobody here can read)',
    '(a part of the type "image", which nobody here can read)',
    'Link: note://1 <note://1>',
    'bare words',
    'last',
  ]);
});

const wrapped = base64(300).replace(/.{76}/g, '$&\n');

test.each([
  ['in lines', { type: 'image', mimeType: 'image/png', data: wrapped }, 300],
  ['without its end', { type: 'audio', mimeType: 'audio/mpeg', data: base64(301).replace(/=+$/, '') }, 301],
  [
    'in lines, of a resource',
    { type: 'resource', resource: { uri: 'a.png', mimeType: 'image/png', blob: wrapped } },
    300,
  ],
])('bytes that are written %s are the same bytes', (_, part, bytes) => {
  const message = { result: { content: [part] } };
  mendContent(message);
  expect(toOutput(message.result as CallToolResult)).toMatchObject({ files: [{ data: base64(bytes) }] });
});
