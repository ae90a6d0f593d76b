// Long suites: those that others wrote, as judges of ours, and those that put load on a server, thousands of odd requests before it,
// processes to death, or that wait for a clock, for many random worlds, or for a database.

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
  'packages/store/test/several-processes-share-a-file.test.ts',
  'packages/store/test/a-store-never-holds-up-its-process.test.ts',
  'packages/server/test/contract/a-question-of-a-grandchild-outlives-the-server.test.ts',
  'packages/server/test/contract/mcp-over-stdio-keeps-the-contract.test.ts',
  'packages/server/test/no-bytes-break-the-server.test.ts',
  'packages/cli/test/no-server-is-left-behind.test.ts',
  'packages/cli/test/streams-that-are-left-leave-nothing.test.ts',
  'packages/cli/test/an-mcp-connection-that-breaks-ends-its-own-runs-alone.test.ts',
  'packages/cli/test/an-mcp-client-that-is-killed-ends-its-own-runs-alone.test.ts',
  'packages/cli/test/a-question-outlives-its-terminal.test.ts',
  'packages/cli/test/a-question-that-is-left-stays-open.test.ts',
  'packages/cli/test/an-answer-of-a-talk-can-be-stopped.test.ts',
  'packages/cli/test/a-question-is-answered-by-another-process.test.ts',
  'packages/cli/test/a-run-that-is-ended-says-so-in-the-store.test.ts',
  'packages/cli/test/an-answer-outlives-its-process.test.ts',
  'packages/cli/test/the-end-of-its-input-ends-a-server-on-stdio.test.ts',
  'packages/cli/test/a-plugin-that-never-ends-is-left-behind.test.ts',
  'packages/web/test/a-widget-ends-its-run-when-its-page-is-left.test.ts',
  'packages/web/test/a-widget-talks-in-a-page-of-another-origin.test.ts',
  'packages/tools/test/no-process-is-left-behind.test.ts',
  'packages/tools/test/a-large-openapi-document-becomes-tools-within-a-second.test.ts',
  'packages/models/test/a-silent-provider-is-not-waited-for-ever.test.ts',
  'packages/models/test/odd-replies-of-any-length-are-read-in-no-time.test.ts',
  'packages/models/test/one-refusal-slows-all.test.ts',
  'packages/cli/test/check-connect-waits-ten-seconds-at-most.test.ts',
  'packages/cli/test/a-run-that-waits-says-so.test.ts',
  'packages/cli/test/the-package-installs-and-runs.test.ts',
  'packages/cli/test/a-shell-completes-the-command.test.ts',
  'packages/tools/test/a-server-that-cannot-start-says-why-in-time.test.ts',
  'packages/tools/test/random-openapi-calls-satisfy-their-document.test.ts',
  'packages/server/test/no-request-breaks-a-route.test.ts',
  'packages/server/test/a-schema-of-a-client-keeps-nobody-waiting.test.ts',
  'packages/cli/test/a-server-ends-gently.test.ts',
  'packages/store/test/what-is-kept-for-too-long-goes.test.ts',
  'packages/server/test/a-long-conversation-is-read-as-fast-as-it-is-long.test.ts',
  'packages/cli/test/the-panel-shows-the-tree-while-it-works.test.ts',
  'packages/cli/test/a-killed-server-picks-up-its-threads-in-slack.test.ts',
  'packages/cli/test/what-slack-did-unheard-is-there-once.test.ts',
  'packages/slack/test/what-was-heard-and-not-begun-is-answered-by-who-comes-after.test.ts',
  'packages/slack/test/what-takes-long-to-begin-is-answered-once.test.ts',
  'packages/slack/test/a-file-that-is-owed-comes-though-the-talk-goes-on.test.ts',
  'packages/slack/test/slack-asks-for-patience-and-gets-it.test.ts',
  'packages/slack/test/where-streaming-is-refused-the-draft-is-edited-in.test.ts',
  'packages/slack/test/an-oversize-answer-is-split-and-the-rest-is-a-file.test.ts',
  'packages/slack/test/an-answer-streams-as-it-is-written.test.ts',
  'packages/slack/test/several-servers-answer-one-thread-in-turn.test.ts',
  'packages/slack/test/a-long-answer-is-told-once-whoever-tells-it.test.ts',
  'packages/cli/test/conformance/the-server-suite-of-the-protocol-passes.test.ts',
  'packages/cli/test/a-watched-file-is-served-anew.test.ts',
  'packages/cli/test/a-person-signs-in-once.test.ts',
  'packages/web/test/a-page-that-was-away-misses-and-doubles-nothing.test.ts',
  'packages/store/test/what-is-wrong-with-a-database-is-said.test.ts',
  'packages/models/test/a-broken-reply-of-any-provider-is-a-clean-failure.test.ts',
  'packages/models/test/a-local-server-loads-no-price-data.test.ts',
  'packages/core/test/money-and-tokens-stay-within-the-budget.test.ts',
  'packages/core/test/a-replay-tells-the-same-story.test.ts',
  'packages/store/test/sessions-last-in-a-database.test.ts',
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
  await processes.run({ name: 'vitest', file: process.execPath, args, cwd: root, env }, 600_000);
  say(`${suites.length} long suites passed`);
}
