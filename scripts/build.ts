// `npm run build`: the published package in dist/: bundled JavaScript, the page, declarations, the command's entry, licences.

import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './build/bundle.ts';
import { writeDeclarations } from './build/declarations.ts';
import { writeNotices } from './build/notices.ts';
import { buildWeb } from './build/web.ts';

// Whoever starts it may be at its tests: what is built is always the same.
process.env.NODE_ENV = 'production';

const repository = join(import.meta.dirname, '..');

// Beside the old one until it is whole: somebody may be running that.
const place = join(repository, `.dist-${process.pid}`);
const dist = join(repository, 'dist');
const old = join(repository, `.dist-${process.pid}-old`);

try {
  await mkdir(place);
  const [code, web, types] = await Promise.all([
    bundle(repository, place),
    buildWeb(repository, join(place, 'web')),
    writeDeclarations(repository, join(place, 'types')),
    cp(join(repository, 'packages/cli/bin'), place, { recursive: true }),
  ]);
  await writeNotices(new Set([...code, ...web, ...types]), join(place, 'LICENSES.md'));
  // Another build may do the same at this moment: each moves a whole one away, and a whole one in.
  await rename(dist, old).catch(() => {});
  await rename(place, dist).catch(() => {});
} finally {
  for (const folder of [place, old]) await rm(folder, { recursive: true, force: true });
}
