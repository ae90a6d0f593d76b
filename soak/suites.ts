// Long suites that others wrote, as judges of ours: their clients and servers are processes by the hundred.

import { join } from 'node:path';
import type { Processes } from './processes.ts';

const root = join(import.meta.dirname, '..');

/** Left out of `npm test`, see vitest.config.ts. */
export const suites: readonly string[] = [
  'packages/server/test/contract/mcp-with-the-inspector-keeps-the-contract.test.ts',
  'packages/server/test/the-inspector-finds-nothing-wrong.test.ts',
  'packages/cli/test/conformance/the-client-suite-logs-in-as-the-protocol-says.test.ts',
  'packages/cli/test/conformance/the-client-suite-of-the-protocol-passes.test.ts',
];

export interface SuitesOptions {
  readonly processes: Processes;
  readonly say: (text: string) => void;
}

/** Throws when one of them does not pass. */
export async function runSuites({ processes, say }: SuitesOptions): Promise<void> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--reporter=dot', ...suites];
  const env = { ...(process.env as Record<string, string>), SUITES: 'all' };
  await processes.run({ name: 'vitest', file: process.execPath, args, cwd: root, env }, 240_000);
  say(`${suites.length} suites of others passed`);
}
