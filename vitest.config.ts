// One test run for all packages. Sources are imported as they are: the workspace links lead to each package's src.
import { configDefaults, defineConfig } from 'vitest/config';
import { suites } from './soak/suites.ts';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts', 'examples/**/*.test.ts', 'docs/**/*.test.ts'],
    // Those of others that take long are run by `npm run soak`.
    exclude: [...configDefaults.exclude, ...(process.env.SUITES ? [] : suites)],
    globalSetup: 'scripts/fresh-build.ts',
    pool: 'threads',
    // Many tests wait for processes and for time: three at once take the least of it, on two cores as well.
    maxWorkers: 3,
    // No module of ours keeps anything that a session could meet, and none is replaced: what one file has loaded serves the next.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A busy machine may need longer than the second that is usual; whoever promises a time measures it.
    expect: { poll: { timeout: 10_000 } },
  },
});
