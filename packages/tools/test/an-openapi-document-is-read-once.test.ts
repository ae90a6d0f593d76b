// Sessions of one process share what was read of a document, until its file changes.

import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOpenapi, testSurroundings, writeSpec } from './support/http-tools.ts';

const document = (operationId: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    servers: [{ url: 'https://a.example' }],
    paths: { '/x': { get: { operationId } } },
  });

test('until it changes', async () => {
  const folder = await writeSpec(document('one'));
  const surroundings = testSurroundings();
  const open = async () => (await openOpenapi({ folder, surroundings, config: { spec: 'spec.json' } })).tools[0];
  const [first, second] = await Promise.all([open(), open()]);
  expect(second?.inputSchema).toBe(first?.inputSchema);
  expect((await openOpenapi({ folder, config: { spec: 'spec.json' } })).tools[0]?.inputSchema).not.toBe(
    first?.inputSchema,
  );
  await writeFile(join(folder, 'spec.json'), document('two'));
  // Some file systems do not count fractions of a second.
  await utimes(join(folder, 'spec.json'), 1, 1);
  expect((await open())?.name).toBe('rest__it_two');
});

test('what could not be read is read again, also when the file looks the same', async () => {
  const mended = document('mended');
  const folder = await writeSpec('{"openapi":"2"}'.padEnd(mended.length));
  const file = join(folder, 'spec.json');
  await utimes(file, 1, 1);
  const surroundings = testSurroundings();
  const open = () => openOpenapi({ folder, surroundings, config: { spec: 'spec.json' } });
  await expect(open()).rejects.toMatchObject({ code: 'config-invalid' });
  await writeFile(file, mended);
  await utimes(file, 1, 1);
  expect((await open()).tools).toHaveLength(1);
});
