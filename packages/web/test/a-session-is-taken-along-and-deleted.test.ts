// Everything that is known of a session can be kept as a file, and deleted, which is asked for first.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';

const browser = openBrowser();

test('a session is taken along as JSON, and deleted when one says so twice', async () => {
  const model = new TypingModel();
  const { url } = await servePage([{ name: 'note', description: 'Writes notes', instructions: 'Write.', model }]);
  const { page, context, problems } = await visit(browser(), url);
  await ask(page, 'A note');
  (await model.next()).say('Noted.').end();
  await page.getByText('160 tokens').waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(/^note-\w+\.json$/);
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toMatchObject({ agent: 'note', text: 'Noted.' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the answer' }).press('Enter');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('Noted.');
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByText('Noted.').waitFor();
  const link = page.getByRole('navigation').getByRole('link', { name: /A note/ });
  await link.hover();
  await page.getByRole('button', { name: 'Delete A note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Delete A note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await link.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'New conversation' }).waitFor();
  // Whoever has it open elsewhere is told.
  await other.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  await other.getByRole('alert').getByText('session-unknown').waitFor();
  await other.reload();
  await other.getByRole('heading', { name: 'No such conversation' }).waitFor();
  expect(await other.getByText('Loading').count()).toBe(0);
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('404')));
});
