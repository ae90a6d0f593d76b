// What axe-core finds wrong with a page for people who cannot see it, or use no mouse.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical findings, each with its rule and its place. */
export async function findings(page: Page): Promise<readonly string[]> {
  const client = await page.context().newCDPSession(page);
  // The policy of the page forbids scripts from elsewhere; the inspector may run them.
  await client.send('Runtime.evaluate', { expression: source });
  const run = `axe.run().then(({ violations }) => JSON.stringify(violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary))))`;
  const { result } = await client.send('Runtime.evaluate', { expression: run, awaitPromise: true });
  await client.detach();
  return JSON.parse(String(result.value)) as string[];
}
