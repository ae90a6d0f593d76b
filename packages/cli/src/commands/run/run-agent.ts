// Runs an agent that is loaded: the answer goes to stdout, everything else to stderr.

import { exitCodeOf } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';
import { printOutcome, tellUsage } from './print-outcome.ts';
import type { RunRequest } from './run-request.ts';
import { showRun } from './show-run.ts';

export async function runAgent(request: RunRequest, terminal: Terminal): Promise<number> {
  const { outcome, release, ...shown } = await showRun(request, terminal);
  try {
    await request.onOutcome?.(outcome);
    await printOutcome(outcome, { request, terminal, ...shown });
    if (request.detail !== 'errors') await tellUsage(outcome, request, terminal);
    return exitCodeOf(outcome, request.isStrict);
  } finally {
    release();
  }
}
