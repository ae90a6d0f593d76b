// Files go along with what is asked where the model of the agent takes them; others are refused before anything is sent.

import { Buffer } from 'node:buffer';
import { scriptedModel } from '@ai-agent/core/testing';
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
  const { url, hall } = await servePage([seer]);
  const { page } = await visit(browser(), url);
  await page.getByLabel('Message').waitFor();
  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    const waiting = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach' }).click();
    await (await waiting).setFiles({ name, mimeType, buffer });
  };
  await choose('song.mp3', 'audio/mpeg', dot);
  await page.getByText('audio/mpeg cannot be sent: this agent takes images and text.').waitFor();
  await choose('notes.md', '', Buffer.from('# Notes'));
  await choose('dot.png', 'image/png', Buffer.concat([dot, Buffer.alloc(4_000)]));
  await page.getByRole('button', { name: 'Remove notes.md' }).click();
  expect(await page.getByRole('list', { name: 'Files' }).allTextContents()).toEqual(['dot.png4.1 kB×']);
  await ask(page, 'What is this?');
  await page.getByText('A red dot.').waitFor();
  await page.getByRole('img', { name: 'dot.png' }).waitFor();
  await page.reload();
  const picture = page.getByRole('img', { name: 'dot.png' });
  await picture.waitFor();
  expect(await picture.getAttribute('src')).toMatch(/^blob:/);
  const [head] = await hall.store.list({ limit: 1 });
  const [start] = await hall.store.facts(head?.id ?? '', 0, 1);
  expect(start).toMatchObject({ messages: [{ content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }] }] });
});
