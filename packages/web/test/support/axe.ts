// What axe-core finds in a page as it stands: only what it holds for serious or critical.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function findSerious(page: Page): Promise<readonly string[]> {
  await page.evaluate(source);
  const found = await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, { iframes: false, resultTypes: ['violations'] });
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.flat().join(' ')).join(', '));
  })()`);
  return found as readonly string[];
}
