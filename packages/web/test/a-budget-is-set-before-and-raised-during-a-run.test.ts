// What a run may use is said before it begins, and raised while it runs.

import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';

const browser = openBrowser();

test('the amounts are sent, shown with what is used, and raised', async () => {
  const model = new TypingModel();
  const { url, hall } = await servePage([
    { name: 'note', description: 'Writes', instructions: 'Write.', model, budget: { tokens: 90_000 } },
  ]);
  const { page } = await visit(browser(), url);
  await page.getByRole('button', { name: 'Limits' }).click();
  for (const [typed, words] of [
    ['-5', 'It cannot be less than 0.'],
    ['1.5', 'It has to be a whole number.'],
  ] as const) {
    await page.getByLabel('Tokens').fill(typed);
    await page.getByText(words).waitFor();
  }
  await ask(page, 'A note');
  await page.getByText('One of the limits is not an amount.').waitFor();
  expect(page.url()).not.toContain('#/s/');
  await page.getByLabel('Tokens').fill('50000');
  await page.getByLabel('Time').fill('90');
  await page.getByRole('button', { name: 'At most 50k tokens, 1 m 30 s' }).waitFor();
  await ask(page, 'A note');
  const typing = await model.next();
  const id = await page.waitForURL(/#\/s\//).then(() => page.url().split('/').at(-1) ?? '');
  expect(hall.live(id)?.head.budget).toEqual({ tokens: 50_000, timeMs: 90_000 });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Raise limits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Raise limits' });
  await dialog.getByText('50,000 tokens, 1 m 30 s').waitFor();
  await dialog.getByText('90,000 tokens').waitFor();
  await dialog.getByText('not known before the first model call has ended').waitFor();
  expect(await dialog.getByLabel('Money').count()).toBe(0);
  await dialog.getByText('not bounded').waitFor();
  await dialog.getByLabel('Tokens').fill('80000');
  await dialog.getByRole('button', { name: 'Raise' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(hall.live(id)?.head.budget).toEqual({ tokens: 80_000, timeMs: 90_000 });
  typing.say('Noted.').end();
  await page.getByText('Noted.').waitFor();
});
