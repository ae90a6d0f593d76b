// `npm run screenshots`: the page and the widget as they look, in a real browser, with a team whose words are known. Then look at them.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp, Hall, listen, rest, site } from '@ai-agent/server';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { defaultPorts } from '../packages/cli/src/platform.ts';
import { findWebFiles } from '../packages/cli/src/web-files.ts';
import { launchChromium, missing } from '../packages/web/test/support/chromium.ts';
import buildWhenStale from './fresh-build.ts';
import { hostPage } from './screenshots/host-page.ts';
import { toTeam } from './screenshots/team.ts';

buildWhenStale();
const folder = join(import.meta.dirname, '../docs/images');
await mkdir(folder, { recursive: true });
const browser = await launchChromium();
const files = findWebFiles();
if (!browser || !files) throw new Error(missing);

const desk = { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 2 };
const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

for (const colorScheme of ['light', 'dark'] as const) {
  await photograph(`timeline-${colorScheme}`, { ...desk, colorScheme }, async (page) => {
    await ask(page, 'market-brief', 'Prepare a brief on Northwind: fleet, depots, and what changed this year.');
    await showTimeline(page);
    await page.getByRole('row', { name: /researcher\[1\]/ }).waitFor();
    await page.waitForTimeout(6_500);
    if (colorScheme === 'dark') await page.getByRole('row', { name: /researcher\[1\]/ }).click();
    await page.waitForTimeout(600);
  });
}
await photograph('chat', { ...desk, colorScheme: 'light' }, async (page, release) => {
  release();
  await ask(page, 'market-brief', 'Prepare a brief on Northwind: fleet, depots, and what changed this year.');
  await page.getByText('What is not known').waitFor();
  await page.waitForTimeout(800);
});
await photograph('phone', { ...phone, colorScheme: 'light' }, async (page, release) => {
  release();
  await ask(page, 'market-brief', 'Prepare a brief on Northwind: fleet, depots, and what changed this year.');
  await page.getByText('What is not known').waitFor();
  await page.waitForTimeout(800);
});
await photograph('widget', { viewport: { width: 1000, height: 640 }, deviceScaleFactor: 2 }, async (page) => {
  await page.goto(new URL('/shop', page.url()).href);
  await page.getByRole('textbox').fill('Version 2.4 adds offline mode.');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing has to be set up').waitFor();
  await page.waitForTimeout(500);
});
await browser.close();

/** A server of its own for each, so that what is on the left is what was asked here. */
async function photograph(
  name: string,
  options: BrowserContextOptions,
  act: (page: Page, release: () => void) => Promise<void>,
): Promise<void> {
  if (!browser || !files) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const agents = toTeam(promise).map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => agents, ports: defaultPorts() });
  const app = createApp(hall, [hostPage, site(files), rest()]);
  const listening = await listen(app, { host: '127.0.0.1', port: 0, onBug: console.error });
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(listening.url);
  await act(page, resolve);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
  hall.cancelAll();
  await hall.stop(0);
  await listening.close(0);
}

async function ask(page: Page, agent: string, text: string): Promise<void> {
  await page.goto(`${page.url().replace(/#.*$/, '')}#/a/${agent}`);
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

async function showTimeline(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Timeline' });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
}
