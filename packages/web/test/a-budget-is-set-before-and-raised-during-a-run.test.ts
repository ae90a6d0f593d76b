// What a run may use is said before it begins, and raised while it runs.

import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';

const browser = openBrowser();

test('the amounts are sent, shown with what is used, and raised', async () => {
  const model = new TypingModel();
  const { url, hall } = await servePage([{ ...note, model, budget: { tokens: 90_000, turns: 9 } }]);
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
  await page.getByRole('button', { name: 'Limits: at most 50k tokens, 1 m 30 s' }).waitFor();
  await ask(page, 'A note');
  const typing = await model.next();
  const id = await page.waitForURL(/#\/s\//).then(() => page.url().split('/').at(-1) ?? '');
  expect(hall.live(id)?.head.budget).toEqual({ tokens: 50_000, timeMs: 90_000 });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Raise limits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Raise limits' });
  await dialog.getByText('50,000 tokens, set for this conversation; the agent’s file allows 90,000 tokens').waitFor();
  await dialog.getByText('9, set by the agent’s file').waitFor();
  await dialog.getByText('not known before the first model call has ended').waitFor();
  expect(await dialog.getByLabel('Money').count()).toBe(0);
  await dialog.getByLabel('Time').fill('30');
  await dialog.getByRole('button', { name: 'Raise' }).click();
  await dialog.getByText('Time: it is 90 seconds now, and can only be raised.').waitFor();
  await dialog.getByLabel('Time').fill('90');
  await dialog.getByLabel('Tokens').fill('80000');
  await dialog.getByRole('button', { name: 'Raise' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(hall.live(id)?.head.budget).toEqual({ tokens: 80_000, timeMs: 90_000 });
  typing.say('Noted.').end();
  await page.getByText('Noted.').waitFor();
  // It holds for what is asked next, and is shown.
  await page.getByRole('button', { name: 'Limits: at most 80k tokens, 1 m 30 s' }).click();
  await page.getByLabel('Time').fill('');
  await ask(page, 'Another');
  const again = await model.next();
  // It counts anew for each message.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Raise limits' }).click();
  await dialog.getByText('not known before the first model call has ended').waitFor();
  await page.keyboard.press('Escape');
  again.say('Noted again.').end();
  await page.getByText('Noted again.').waitFor();
  expect((await hall.store.get(id))?.budget).toEqual({ tokens: 80_000 });
});

test('a limit with which it cannot even begin is told where it is changed, and tried again with another', async () => {
  const model = new TypingModel();
  const { url } = await servePage([{ ...note, model }]);
  const { page } = await visit(browser(), url);
  await page.getByRole('button', { name: 'Limits' }).click();
  await page.getByLabel('Tokens').fill('3');
  await ask(page, 'A note');
  await page.getByText('Type a higher amount in Limits, beside the message, and try again.').waitFor();
  await page.getByLabel('Tokens').fill('');
  await page.getByLabel('Money').fill('1');
  const first = page.url();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForURL((to) => to.href !== first);
  await page.getByText('Money cannot be counted here: the price of the model is unknown.').waitFor();
  await page.getByText('Leave Money empty in Limits').waitFor();
  await page.getByLabel('Money').fill('');
  await page.getByRole('button', { name: 'Try again' }).click();
  (await model.next()).say('Noted.').end();
  await page.getByText('Noted.').waitFor();
});

test('what is typed for the next message outlives an answer to a question, and a half-written answer a look elsewhere', async () => {
  const model = new TypingModel();
  const { url } = await servePage([{ ...note, model, ask: 'person' }]);
  const { page } = await visit(browser(), url);
  await ask(page, 'A note');
  const typing = await model.next();
  await page.waitForURL(/#\/s\//);
  await page.getByRole('button', { name: 'Limits' }).click();
  await page.getByLabel('Tokens').fill('70000');
  typing.end([{ name: 'ask_user', input: { question: 'How long?' } }]);
  await page.getByLabel('Your answer').fill('Short');
  await page.keyboard.press('Enter');
  const second = await model.next();
  await page.getByRole('button', { name: 'Limits: at most 70k tokens' }).waitFor();
  second.end([{ name: 'ask_user', input: { question: 'Of what?' } }]);
  await page.getByText('Of what?', { exact: true }).waitFor();
  await page.getByLabel('Your answer').fill('Of the');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByLabel('Message').waitFor();
  await page.goBack();
  await expect.poll(() => page.getByLabel('Your answer').inputValue()).toBe('Of the');
});

const note = { name: 'note', description: 'Writes', instructions: 'Write.' };
