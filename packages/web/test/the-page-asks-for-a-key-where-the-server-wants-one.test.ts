// A key is asked for when the server needs one, and is in the memory of the page alone.

import { scriptedModel } from '@ai-agent/core/testing';
import { hashOf, MemorySessions } from '@ai-agent/server';
import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';

const browser = openBrowser();
const agent = {
  name: 'note',
  description: 'Writes notes',
  instructions: 'Write notes.',
  model: scriptedModel(() => 'Noted.'),
};

test('a wrong key is told, a right one opens the page, and nothing of it is kept', async () => {
  const { url } = await servePage([agent], { keys: { me: { hash: hashOf('a-long-and-secret-key') } } });
  const { page, problems } = await visit(browser(), url);
  await page.getByLabel('Key').waitFor();
  await page.keyboard.type('schlüssel');
  await page.keyboard.press('Enter');
  await page.getByText('This cannot be the key').waitFor();
  await page.getByLabel('Key').fill('not-this-one');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('does not know this key').waitFor();
  await page.getByLabel('Key').fill('a-long-and-secret-key');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
  expect(kept).not.toContain('a-long-and-secret-key');
  await page.reload();
  await page.getByLabel('Key').waitFor();
  // The browser itself says of each refusal that there was one.
  problems.splice(0, problems.length, ...problems.filter((problem) => !/401|net::ERR_/.test(problem)));
});

test('a key that is taken back in the middle is asked for again, and the talk is where it was', async () => {
  const store = new MemorySessions();
  const settings = (key: string) => ({ store, keys: { me: { hash: hashOf(key) } } });
  const { url, port, stop } = await servePage([agent], settings('a-long-and-secret-key'));
  const { page, problems } = await visit(browser(), url);
  const open = async (key: string) => {
    await page.getByLabel('Key').fill(key);
    await page.getByRole('button', { name: 'Open' }).click();
  };
  await open('a-long-and-secret-key');
  await ask(page, 'A note');
  await page.getByText('Noted.').waitFor();
  await stop();
  await servePage([agent], { ...settings('another long and secret key'), port });
  await ask(page, 'One more');
  await page.getByText('does not know this key').waitFor();
  await open('another long and secret key');
  await page.getByText('Noted.').waitFor();
  problems.splice(0, problems.length, ...problems.filter((problem) => !/401|net::ERR_/.test(problem)));
});

test('a key that is for visitors of a site is refused where it is typed', async () => {
  const visitors = {
    hash: hashOf('a-key-for-visitors-of-a-site'),
    origins: ['https://example.com'],
    agents: ['note'],
    requestsPerMinute: 60,
  };
  const { url } = await servePage([agent], { keys: { visitors } });
  const { page, problems } = await visit(browser(), url);
  await page.getByLabel('Key').fill('a-key-for-visitors-of-a-site');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('alert').getByText('This page needs another').waitFor();
  expect(await page.getByLabel('Key').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByText('does not know this key').count()).toBe(0);
  problems.splice(0, problems.length, ...problems.filter((problem) => !/401|403|net::ERR_/.test(problem)));
});
