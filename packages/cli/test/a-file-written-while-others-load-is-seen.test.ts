// The promise: whoever watches loses no file that is written while what changed before is loaded.

import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Watched, watchFiles } from '../src/commands/serve/watch-files.ts';
import { folderWith } from './support/command.ts';

test('it is told in its turn', async () => {
  const folder = await folderWith({ 'agents/one.ai': 'one' });
  const fileOf = (name: string) => join(folder, 'agents', name);
  const told: string[] = [];
  // What was loaded is sought; the folder is looked through each time.
  let watched: Watched = { sought: [fileOf('one.ai')], wanted: [{ entry: 'agents', folder }] };
  const unwatch = watchFiles({
    everyMs: 10,
    watched: () => watched,
    async onChange(files) {
      watched = { ...watched, sought: [...new Set([...watched.sought, ...files])] };
      told.push(...files.map((file) => basename(file)));
      if (told.length === 1) await writeFile(fileOf('three.ai'), 'three');
    },
  });
  onTestFinished(unwatch);
  await writeFile(fileOf('two.ai'), 'two');
  await expect.poll(() => told).toEqual(['two.ai', 'three.ai']);
});
