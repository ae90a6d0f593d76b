// Before the tests: some of them run what is published, so that it has to be what the sources say.

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const findProgram = createRequire(import.meta.url)('../packages/cli/bin/find-program.cjs') as () => {
  readonly isStale?: () => boolean;
};

export default function buildWhenStale(): void {
  if (findProgram().isStale?.() === false) return;
  execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' });
}
