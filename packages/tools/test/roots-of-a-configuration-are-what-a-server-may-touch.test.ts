import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everything, filesystem, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
  await mkdir(join(folder, 'mine'));
  await mkdir(join(folder, 'other'));
  await writeFile(join(folder, 'mine', 'note.txt'), 'a note');
  await writeFile(join(folder, 'other', 'secret.txt'), 'not for you');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a server reads below its roots, which begin in the folder of the configuration, and nowhere else', async () => {
  const read = (path: string) => ({ name: 'files__read_text_file', input: { path: join(folder, path) } });
  // The server asks for its roots after its start. A model takes longer than that before it calls a tool.
  const steps = [{ calls: [read('mine/note.txt')] }, { calls: [read('other/secret.txt')] }];
  const { results } = await walkWith({
    server: 'files',
    config: { ...started(filesystem), roots: ['mine'] },
    setUp: { folder },
    script: (_request, call) => ({ text: 'done', ...steps[call - 1], until: delay(500) }),
  });
  expect(results[0]).toMatchObject({ isError: false, text: 'a note' });
  expect(results[1]?.isError).toBe(true);
  expect(results[1]?.text).toContain('outside allowed directories');
});

test('roots may be relative, at home, absolute or addresses', async () => {
  const { results } = await walkWith({
    server: 'every',
    config: { ...started(everything), roots: ['mine', '~/notes', join(folder, 'other'), 'file:///srv/data'] },
    setUp: { folder },
    script: calling({ name: 'every__get-roots-list' }),
    surroundings: { cwd: folder, serverEnv: { HOME: folder } },
  });
  const listed = [...(results[0]?.text ?? '').matchAll(/URI: (\S+)/g)].map(([, uri]) => uri);
  const at = (...path: readonly string[]) => pathToFileURL(join(folder, ...path)).href;
  expect(listed).toEqual([at('mine'), at('notes'), at('other'), 'file:///srv/data']);
});
