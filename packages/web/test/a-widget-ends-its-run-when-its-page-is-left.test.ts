// The promise: nobody pays for what nobody reads. A run of the widget ends when its page is left, when the page takes the element
// away, and when the visitor stops it; moving the element ends nothing.

import { expect, test } from 'vitest';
import { openBrowser } from './support/browser.ts';
import { askWidget, visitHost } from './support/host-page.ts';
import { TypingModel } from './support/page-server.ts';

const browser = openBrowser();

async function working() {
  const model = new TypingModel();
  const agent = { name: 'shop', description: 'Knows the shop', instructions: 'You know the shop.', model };
  const hosted = await visitHost(browser(), [agent]);
  const { page } = hosted;
  await askWidget(page, 'Tell me everything.');
  const typing = (await model.next()).say('First of all');
  await page.getByText('First of all').waitFor();
  return { ...hosted, model, typing };
}

test('when another page is opened', async () => {
  const { page, typing } = await working();
  await page.goto('about:blank');
  await expect.poll(() => typing.isCutOff).toBe(true);
});

test('when its tab is closed', async () => {
  const { page, typing } = await working();
  await page.close({ runBeforeUnload: false });
  await expect.poll(() => typing.isCutOff).toBe(true);
});

test('when the element is taken out of the page, and not when it is moved', async () => {
  const { page, typing } = await working();
  await page.evaluate("document.body.append(document.querySelector('ai-agent-chat'))");
  typing.say(', there is more');
  await page.getByText('First of all, there is more').waitFor();
  expect(typing.isCutOff).toBe(false);
  await page.evaluate("document.querySelector('ai-agent-chat').remove()");
  await expect.poll(() => typing.isCutOff).toBe(true);
});

test('when it is stopped: with what there is at first, the second time at once', async () => {
  const { page, model, typing } = await working();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.poll(() => typing.isCutOff).toBe(true);
  const wrapUp = await model.next();
  await page.getByRole('button', { name: 'Stop now' }).click();
  await expect.poll(() => wrapUp.isCutOff).toBe(true);
  await page.getByText('This was stopped.').waitFor();
});

test('who comes back to the page goes on, and sees nothing of what was left as a part of what is new', async () => {
  const { page, model, typing } = await working();
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
  await page.getByText('This was stopped.').waitFor();
  await expect.poll(() => typing.isCutOff).toBe(true);
  await askWidget(page, 'Again.');
  const next = await model.next();
  await page.getByText('At work').waitFor();
  next.say('Here.').end();
  await page.getByText('Here.').waitFor();
  expect(await page.locator('article').allTextContents()).toEqual(['First of allThis was stopped.', 'Here.']);
});
