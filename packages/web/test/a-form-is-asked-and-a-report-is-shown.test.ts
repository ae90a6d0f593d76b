// An agent that takes JSON is asked by a form, and its JSON report is a table.

import { asTool } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';
import { openTimeline, start } from './support/timeline.ts';

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

test('first there is whom nobody uses, or who was asked last; a long form is read from its top', async () => {
  const fields = Array.from({ length: 20 }, (_, i) => [`field${i}`, { type: 'string' }] as const);
  const schema = { type: 'object', properties: Object.fromEntries(fields) };
  const boats = { ...booking, name: 'boats', input: { format: 'json' as const, schema } };
  const event = { ...booking, name: 'event', input: { format: 'text' as const }, tools: [asTool(boats)] };
  const { url } = await servePage([boats, event]);
  const { page } = await visit(browser(), url);
  await page.getByLabel('Message').waitFor();
  const names = await page.evaluate('[...document.querySelectorAll("[name=agent]")].map(({ value }) => value)');
  expect([names, await page.getByRole('radio', { name: /^event/ }).isChecked()]).toEqual([['event', 'boats'], true]);
  await page.getByText('boats used by event').waitFor();
  await start(url, 'boats', {});
  await page.reload();
  await page.getByRole('button', { name: 'Ask' }).waitFor({ state: 'attached' });
  expect(await page.getByRole('radio', { name: /boats/ }).isChecked()).toBe(true);
  await page.getByLabel('Field 0').fill('kept');
  await page.getByRole('radio', { name: /^event/ }).check();
  await page.getByLabel('Message').waitFor();
  await page.getByRole('radio', { name: /^boats/ }).check();
  expect(await page.getByLabel('Field 0').inputValue()).toBe('kept');
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('radio', { name: /^boats/ }).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const place = 'document.querySelector("[aria-label=Conversation]")';
  expect(await page.evaluate(`[${place}.scrollTop, ${place}.scrollHeight > ${place}.clientHeight]`)).toEqual([0, true]);
});

test('what is filled in is sent as JSON, and told as fields', async () => {
  const { url, hall } = await servePage([booking]);
  const { page } = await visit(browser(), url);
  await page.getByRole('button', { name: 'Ask' }).click();
  expect(page.url()).not.toContain('#/s/');
  await page.getByLabel(/city/i).fill('Vienna');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: '12:40' }).waitFor();
  const asked = page.getByRole('article', { name: 'You' });
  expect(await asked.getByRole('definition').textContent()).toBe('Vienna');
  const [head] = await hall.store.list({ limit: 1 });
  const [start] = await hall.store.facts(head?.id ?? '', 0, 1);
  expect(start).toMatchObject({ messages: [{ role: 'user', content: [{ text: '{"city":"Vienna"}' }] }] });
});

test('asked again and refused, what was filled in is still there; the round is tried again on the same input', async () => {
  const { url } = await servePage([{ ...booking, model: scriptedModel(() => '{"trains":[{"from":"Vienna"}]}') }]);
  const { page, problems } = await visit(browser(), url);
  await page.getByRole('textbox', { name: 'City' }).fill('Vienna');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('Ask again').click();
  await expect.poll(() => page.getByRole('textbox', { name: 'City' }).inputValue()).toBe('Vienna');
  await page.getByRole('textbox', { name: 'City' }).fill('Athens');
  const error = { class: 'rate_limit', code: 'rate-limited', message: 'Too many at once.' };
  await page.route('**/v1/sessions', (route) => route.fulfill({ status: 429, json: { error } }), { times: 1 });
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('Too many at once.').waitFor();
  expect(await page.getByRole('textbox', { name: 'City' }).inputValue()).toBe('Athens');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect.poll(() => page.getByRole('article', { name: 'Answer' }).count()).toBe(2);
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^Round 2, .*round, done/ }).click();
  const first = page.url();
  await page.getByRole('button', { name: 'Retry from here' }).click();
  await page.waitForURL((to) => to.href !== first);
  await page.getByText('Ask again').waitFor();
  const asked = page.getByRole('article', { name: 'You' }).getByRole('definition');
  expect(await asked.allTextContents()).toEqual(['Vienna', 'Athens']);
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('429')));
});
