// What a browser loads before anything is asked, as it comes over the wire.

import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';

const browser = openBrowser();

test('under 250 kB, and what an answer needs is not among it', async () => {
  const agents = ['note', 'form'].map((name) => ({
    name,
    description: 'Writes',
    instructions: 'Write.',
    model: scriptedModel(['Done.']),
  }));
  const { url } = await servePage(agents);
  const { page } = await visit(browser(), url);
  const sizes = new Map<string, number>();
  page.on('requestfinished', async (request) => {
    const { pathname } = new URL(request.url());
    sizes.set(pathname, Number((await request.response())?.headers()['content-length'] ?? 0));
  });
  // Once more, now that somebody counts.
  await page.reload();
  await page.getByLabel('Message').waitFor();
  await page.waitForLoadState('networkidle');
  const files = [...sizes].filter(([path]) => !path.startsWith('/v1'));
  // The page, its script and style, and its typeface are there: none of them was missed.
  for (const kind of [/^\/$/, /\.js$/, /\.css$/, /\.woff2$/])
    expect(files.some(([path]) => kind.test(path))).toBe(true);
  expect(files.every(([, size]) => size > 0)).toBe(true);
  const whole = files.reduce((sum, [, size]) => sum + size, 0);
  expect(whole).toBeGreaterThan(100_000);
  expect(whole).toBeLessThan(250_000);
});
