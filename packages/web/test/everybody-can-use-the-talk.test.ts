// On a phone, in the dark, by keys alone and with a screen reader: axe finds nothing serious, and nothing sticks out.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, whenListening } from './support/ask.ts';
import { expectAccessible } from './support/axe.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';

const browser = openBrowser();

const schema = { type: 'object', properties: { city: { type: 'string' } } };

async function serve() {
  const model = new TypingModel();
  const note = { name: 'note', description: 'Writes notes', instructions: 'Write.', model };
  const other = { ...note, name: 'other', description: 'Does something else' };
  const agents = [
    { name: 'note', agent: note, template: () => 'name: note\n' },
    { name: 'other', agent: other },
    { name: 'form', agent: { ...note, name: 'form', input: { format: 'json' as const, schema } } },
  ];
  return { ...(await servePage(agents)), model };
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const sticksOut = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth');

test.for([
  ['light', { colorScheme: 'light' as const }],
  ['dark, on a phone', { colorScheme: 'dark' as const, ...phone }],
] as const)('axe finds nothing serious: %s', async ([, options]) => {
  const { url, model } = await serve();
  const { page } = await visit(browser(), url, options);
  await page.getByLabel('Message').waitFor();
  await expectAccessible(page);
  await ask(page, 'A note');
  const typing = await model.next();
  await whenListening(page);
  typing.think('So.').say('It is **written**: `this-is-a-long-word-that-does-not-fit-on-a-phone-in-one-line-at-all`.');
  await page.getByText('It is').waitFor();
  await expectAccessible(page);
  typing.end();
  await page.getByText('160 tokens').waitFor();
  await expectAccessible(page);
  expect(await sticksOut(page)).toBe(false);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Frontmatter' }).click();
  await page.getByRole('dialog').getByText('name: note').waitFor();
  await expectAccessible(page);
});

test('on a phone the list lies over the talk, and the timeline takes its place', async () => {
  const { url, model } = await serve();
  const { page } = await visit(browser(), url, phone);
  await ask(page, 'A note');
  (await model.next()).say('Noted.').end();
  await page.getByText('Noted.').waitFor();
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Conversations' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('radio', { name: /^note/ }).waitFor();
  await page.goBack();
  await page.getByText('Noted.').waitFor();
  await page.getByRole('button', { name: 'Timeline' }).click();
  await page.getByText('Noted.').first().waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Chat' }).click();
  await page.getByText('Noted.').first().waitFor();
});

test('on a phone the list keeps the focus while it is open, and gives it back', async () => {
  const { url, model } = await serve();
  const { page } = await visit(browser(), url, { ...phone, reducedMotion: 'reduce' });
  await ask(page, 'A note');
  const typing = await model.next();
  const list = page.getByRole('navigation');
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
  await page.getByRole('button', { name: 'Conversations' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('New conversation');
  await list.getByText('at work').waitFor();
  await page.keyboard.press('Tab');
  expect(await focused()).toMatch(/^A note/);
  // The list is read again meanwhile.
  typing.say('Noted.').end();
  await list.getByText('at work').waitFor({ state: 'hidden' });
  expect(await focused()).toMatch(/^A note/);
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('Conversations');
});

test('by keys alone: choose, ask, open a dialog, close it, and be where one was', async () => {
  const { url, model } = await serve();
  const { page } = await visit(browser(), url);
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
  await page.getByLabel('Message').waitFor();
  expect(await focused()).toBe('Message');
  await page.keyboard.type('A note');
  await page.keyboard.press('Enter');
  (await model.next()).say('Noted.').end();
  await page.getByText('Noted.').waitFor();
  expect(await focused()).toBe('Message');
  await page.getByRole('button', { name: 'More' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('Download JSON');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('Frontmatter');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('name: note').waitFor();
  await page.keyboard.press('Escape');
  expect(await focused()).toBe('More');
  expect(await page.evaluate('document.querySelector("a, button").textContent')).toBe('Go to the message');
  await page.getByRole('button', { name: 'Go to the message' }).press('Enter');
  expect(await focused()).toBe('Message');
  expect(
    await page.evaluate(
      'document.querySelectorAll("[tabindex]:not([tabindex^=\\"-\\"]):not([tabindex=\\"0\\"])").length',
    ),
  ).toBe(0);
});

test('who goes elsewhere as a dialog closes is not called back', async () => {
  const { url, model } = await serve();
  const { page } = await visit(browser(), url);
  await ask(page, 'A note');
  (await model.next()).say('Noted.').end();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Frontmatter' }).click();
  await page.getByRole('dialog').getByText('name: note').waitFor();
  await page.evaluate(
    'document.querySelector("dialog").close(); document.querySelector("[aria-label=\\"Message\\"]").focus()',
  );
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Message');
});

test('arrow keys go through the agents, and only who decides goes on to write', async () => {
  const { url } = await serve();
  const { page } = await visit(browser(), `${url}#/a/form`);
  const focused = () => page.evaluate('document.activeElement.value || document.activeElement.ariaLabel');
  await page.getByRole('radio', { name: /form/ }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByLabel('Message').waitFor();
  expect(await focused()).toBe('other');
  await page.keyboard.press('ArrowUp');
  await page.waitForURL(/note$/);
  expect(await focused()).toBe('note');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Message');
  await page.getByText('Does something else').click();
  await page.waitForURL(/other$/);
  await expect.poll(focused).toBe('Message');
});
