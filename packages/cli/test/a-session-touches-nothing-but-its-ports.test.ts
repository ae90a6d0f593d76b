// A process in which the environment, dates, randomness and timers throw runs a session on the real adapters.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serveScript } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';

async function runTrapped(violation = '') {
  const server = await serveScript((request) => {
    const isLead = request.tools.some((tool) => tool.name === 'agent__child');
    const hasResult = request.messages.some((message) => message.role === 'tool');
    if (isLead)
      return hasResult ? '{"sum": 5}' : { calls: [{ name: 'agent__child', input: { text: '2 + 3', reason: 'add' } }] };
    return hasResult ? 'It is 5.' : { calls: [{ name: 'add', input: { a: 2, b: 3 } }] };
  });
  try {
    const file = join(import.meta.dirname, 'support/trapped.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [file, server.baseUrl, violation], {
      timeout: 20_000,
    });
    return JSON.parse(stdout) as {
      status: string;
      text: string;
      deltas: boolean;
      failed: string[];
      said: string;
      failure: unknown;
    };
  } finally {
    await server.close();
  }
}

test('it streams, delegates, calls a tool and keeps a JSON contract', async () => {
  const { said: _, ...result } = await runTrapped();
  expect(result).toEqual({ status: 'completed', text: '{"sum":5}', deltas: true, failed: [], failure: null });
});

test.each(['env', 'date', 'random', 'timer'])('the trap on %s does catch', async (violation) => {
  const { said } = await runTrapped(violation);
  expect(said).toContain('TRAPPED');
});
