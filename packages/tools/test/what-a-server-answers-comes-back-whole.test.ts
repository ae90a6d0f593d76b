import { expect, test } from 'vitest';
import { everything, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

const server = 'everything';
const config = started(everything);

test('text, links, resources, pictures and data of a server reach the model', async () => {
  const { outcome, results } = await walkWith({
    server,
    config,
    script: calling(
      { name: 'everything__echo', input: { message: 'hello' } },
      { name: 'everything__get-sum', input: { a: 2, b: 40 } },
      { name: 'everything__get-tiny-image' },
      { name: 'everything__get-resource-reference', input: { resourceType: 'Text', resourceId: 7 } },
      { name: 'everything__get-resource-reference', input: { resourceType: 'Blob', resourceId: 8 } },
      { name: 'everything__get-resource-links', input: { count: 2 } },
      { name: 'everything__get-structured-content', input: { location: 'Chicago' } },
    ),
  });
  expect(outcome).toMatchObject({ status: 'completed' });
  const texts = results.map(({ text }) => text);
  expect(results.map(({ isError }) => isError)).toEqual(texts.map(() => false));
  expect(texts[0]).toBe('Echo: hello');
  expect(texts[1]).toContain('42');
  expect(texts[2]).toMatch(/\n\n\(image image-1\.png, image\/png, \d+ bytes\)\n\n/);
  expect(results[2]?.files).toMatchObject([{ type: 'file', mediaType: 'image/png', name: 'image-1.png' }]);
  expect(texts[3]).toMatch(/Resource demo:\/\/resource\/dynamic\/text\/7:\nResource 7: This is a plaintext resource/);
  expect(texts[4]).toMatch(/Resource demo:\/\/resource\/dynamic\/blob\/8:\nResource 8: This is a base64 blob/);
  expect(texts[5]).toContain('Link: Blob Resource 1 <demo://resource/dynamic/blob/1>');
  expect(texts[5]).toContain('Link: Text Resource 2 <demo://resource/dynamic/text/2>');
  // Said as text and as data: once is enough.
  expect(JSON.parse(texts[6] ?? '')).toEqual({ temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 });
});

test('tools have the name of their server before their own', async () => {
  const { tools, events } = await walkWith({
    server,
    config,
    script: calling({ name: 'echo', input: { message: 'x' } }),
  });
  const names = tools.map(({ name }) => name);
  expect(names).toContain('everything__trigger-long-running-operation');
  // Only as a task, which is nothing that we can do.
  expect(names).not.toContain('everything__simulate-research-query');
  expect(tools.find(({ name }) => name === 'everything__echo')).toMatchObject({
    description: 'Echoes back the input string',
    inputSchema: { properties: { message: { type: 'string' } }, required: ['message'] },
  });
  const start = events.find(({ type }) => type === 'tool-start');
  expect(start).toMatchObject({ namespace: 'everything', label: 'echo' });
});
