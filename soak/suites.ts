// Long suites: those that others wrote, as judges of ours, and those that put load on a server or thousands of odd requests before it.

import { join } from 'node:path';
import type { Processes } from './processes.ts';

const root = join(import.meta.dirname, '..');

/** Left out of `npm test`, see vitest.config.ts. */
export const suites: readonly string[] = [
  'packages/server/test/contract/mcp-with-the-inspector-keeps-the-contract.test.ts',
  'packages/server/test/the-inspector-finds-nothing-wrong.test.ts',
  'packages/cli/test/conformance/the-client-suite-logs-in-as-the-protocol-says.test.ts',
  'packages/cli/test/conformance/the-client-suite-of-the-protocol-passes.test.ts',
  'packages/cli/test/a-hundred-mcp-clients-at-once-are-each-right.test.ts',
  'packages/cli/test/a-thousand-streams-at-once-are-each-right.test.ts',
  'packages/server/test/no-conversation-breaks-a-model.test.ts',
  'packages/store/test/servers-share-a-database.test.ts',
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
  await processes.run({ name: 'vitest', file: process.execPath, args, cwd: root, env }, 300_000);
  say(`${suites.length} long suites passed`);
}
