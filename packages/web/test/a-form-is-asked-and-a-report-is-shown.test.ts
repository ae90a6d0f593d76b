// An agent that takes JSON is asked by a form, and its JSON report is a table.

import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';

const browser = openBrowser();

const booking = {
  name: 'booking',
  description: 'Books',
  instructions: 'Book.',
  input: {
    format: 'json' as const,
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  output: {
    format: 'json' as const,
    schema: {
      type: 'object',
      properties: { trains: { type: 'array', items: { type: 'object' } } },
      required: ['trains'],
    },
  },
  model: scriptedModel(['{"trains":[{"from":"Athens","at":"08:10"},{"from":"Vienna","at":"12:40"}]}']),
};

test('what is filled in is sent as JSON, and told as fields', async () => {
  const { url, hall } = await servePage([booking]);
  const { page } = await visit(browser(), url);
  await page.getByRole('button', { name: 'Ask' }).click();
  expect(page.url()).not.toContain('#/s/');
  await page.getByLabel(/city/i).fill('Vienna');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('cell', { name: '12:40' }).waitFor();
  const asked = page.getByRole('article', { name: 'You' });
  expect(await asked.getByRole('definition').textContent()).toBe('Vienna');
  const [head] = await hall.store.list({ limit: 1 });
  const [start] = await hall.store.facts(head?.id ?? '', 0, 1);
  expect(start).toMatchObject({ messages: [{ role: 'user', content: [{ text: '{"city":"Vienna"}' }] }] });
});
