// Files go along with what is asked where the model of the agent takes them; others are refused before anything is sent.

import { Buffer } from 'node:buffer';
import { scriptedModel } from '@ai-agent/core/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';

const browser = openBrowser();

/** One red dot. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('a picture is shown where it was sent, also after a reload; other types are told', async () => {
  const model = { ...scriptedModel(['A red dot.']), attachments: ['image/*', 'text/*'] };
  const seer = { name: 'seer', description: 'Sees', instructions: 'See.', model };
  const reader = { ...seer, name: 'reader', model: { ...model, attachments: ['text/*'] } };
  const { url, hall } = await servePage([seer, reader]);
  const { page, problems } = await visit(browser(), url);
  await page.getByLabel('Message').waitFor();
  const choose = async (...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
    const waiting = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach' }).click();
    await (await waiting).setFiles(files);
  };
  const refusal = page.getByText('audio/mpeg cannot be sent: this agent takes images and text.');
  await choose({ name: 'song.mp3', mimeType: 'audio/mpeg', buffer: dot });
  await refusal.waitFor();
  await page.getByRole('radio', { name: /^reader/ }).check();
  await refusal.waitFor({ state: 'hidden' });
  await page.getByRole('radio', { name: /^seer/ }).check();
  const picture = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.concat([dot, Buffer.alloc(4_000)]) };
  await choose({ name: 'song.mp3', mimeType: 'audio/mpeg', buffer: dot }, picture);
  await choose({ name: 'notes.md', mimeType: '', buffer: Buffer.from('# Notes') });
  const remove = page.getByRole('button', { name: 'Remove notes.md' });
  await remove.waitFor();
  expect(await refusal.isVisible()).toBe(true);
  await choose({ name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) });
  await page.getByText('nothing.txt is empty.').waitFor();
  await remove.press('Enter');
  await refusal.waitFor({ state: 'hidden' });
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Message');
  await page.keyboard.press('Enter');
  await page.getByText('A file alone does not say what you ask.').waitFor();
  expect(await page.getByRole('list', { name: 'Files' }).allTextContents()).toEqual(['dot.png4.1 kB×']);
  await ask(page, 'What is this?');
  await page.getByText('A red dot.').waitFor();
  await page.getByRole('img', { name: 'dot.png' }).waitFor();
  await page.reload();
  const shown = page.getByRole('img', { name: 'dot.png' });
  await shown.waitFor();
  expect(await shown.getAttribute('src')).toMatch(/^blob:/);
  const [head] = await hall.store.list({ limit: 1 });
  const [start] = await hall.store.facts(head?.id ?? '', 0, 1);
  expect(await isDropTaken(page)).toBe(true);
  await page.getByRole('button', { name: 'Remove x.txt' }).waitFor();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('button', { name: 'Remove x.txt' }).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('button', { name: 'Remove x.txt' }).waitFor();
  // What is sent and does not get through is there for who has left meanwhile.
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/sessions', (route) => held.promise.then(() => route.abort()), { times: 1 });
  await ask(page, 'And this?');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('radio', { name: /^seer/ }).waitFor();
  const failed = page.waitForEvent('requestfailed');
  held.resolve();
  await failed;
  await page.goBack();
  await page.getByRole('button', { name: 'Remove x.txt' }).waitFor();
  expect(await page.getByLabel('Message').inputValue()).toBe('And this?');
  problems.splice(0, problems.length, ...problems.filter((problem) => !/net::ERR_/.test(problem)));
  expect(start).toMatchObject({
    messages: [{ content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }] }],
  });
});

test('a file that is dropped where none are taken does not take the place of the page', async () => {
  const { url } = await servePage([{ name: 'blind', instructions: 'Hear.', model: scriptedModel(['Heard.']) }]);
  const { page } = await visit(browser(), url);
  await page.getByLabel('Message').waitFor();
  expect(await isDropTaken(page)).toBe(true);
  expect(await page.getByRole('list', { name: 'Files' }).count()).toBe(0);
});

/** Whether the browser does nothing with a file that is dropped beside the field: it would leave the page. */
function isDropTaken(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.txt'));
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector('main').dispatchEvent(event);
    return event.defaultPrevented;
  })()`);
}
