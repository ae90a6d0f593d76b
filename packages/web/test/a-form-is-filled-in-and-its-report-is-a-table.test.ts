// An agent that wants data has a form; its report is a table that is sorted, and the JSON that it is.

import { readFile } from 'node:fs/promises';
import type { Agent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/axe.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';

const browser = openBrowser();

const schema = {
  type: 'object',
  properties: {
    topic: { type: 'string', description: 'What to look for.' },
    maxResults: { type: 'integer', minimum: 1, maximum: 9000, default: 3 },
    depth: { enum: ['brief', 'deep'] },
    names: { type: 'array', items: { type: 'string', maxLength: 40 } },
    extra: {},
    contact: { type: 'object', properties: { mail: { type: 'string', format: 'email' } }, required: ['mail'] },
  },
  required: ['topic', 'depth'],
  additionalProperties: false,
};

function toSearcher(rows: readonly object[]): { readonly agent: Agent; readonly asked: () => unknown } {
  const model = scriptedModel(() => JSON.stringify({ summary: 'Some were found.', found: rows }));
  const asked = () => JSON.parse(JSON.stringify(model.requests[0]?.messages.at(-1))) as unknown;
  const output = { format: 'json', schema: { type: 'object' } } as const;
  const input = { format: 'json', schema } as const;
  return { agent: { name: 'search', description: 'Searches', instructions: 'Search.', model, input, output }, asked };
}

test('what is missing is said, the JSON beside it is the same value, and what is given reaches the agent', async () => {
  const { agent, asked } = toSearcher([
    { name: 'Item 10', size: 2 },
    { name: 'Item 9', size: 30 },
  ]);
  const { url } = await servePage([agent]);
  const { page } = await visit(browser(), `${url}/#/a/search`);
  await page.setViewportSize({ width: 1280, height: 320 });
  await page.reload();
  await page.getByLabel('Topic').waitFor();
  expect(await page.evaluate(scrolledTo)).toBe(0);
  await page.getByLabel('Topic').focus();
  for (let i = 0; i < 14; i++) {
    await page.keyboard.press(i < 7 ? 'Tab' : 'Shift+Tab');
    expect(await page.evaluate(isFocusCut)).toBe('');
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByLabel('Max results').fill('many');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('3 things need another look.').waitFor();
  expect(await page.evaluate('document.activeElement.getAttribute("aria-required")')).toBe('true');
  await expectAccessible(page);

  await page.getByLabel('Topic').fill('ferries\nand trains');
  await page.getByLabel('Max results').fill('2');
  await page.keyboard.press('ArrowUp');
  await page.getByRole('radio', { name: 'deep' }).check();
  await addNames(page);
  await page.getByLabel('Extra').fill('{ "a": ');
  await page.getByText('JSON', { exact: true }).click();
  await page.getByText('This is not JSON yet').waitFor();
  await page.getByLabel('Extra').fill('{ "a": 1 }');
  await page.getByText('JSON', { exact: true }).click();
  const whole = page.getByLabel('Value as JSON');
  const value = {
    topic: 'ferries\nand trains',
    maxResults: 3,
    depth: 'deep',
    names: ['second', 'first'],
    extra: { a: 1 },
  };
  expect(JSON.parse(await whole.inputValue())).toEqual(value);

  await whole.fill('{ "topic": ');
  await page.getByText('Form', { exact: true }).click();
  await page.getByText('This is not JSON yet').waitFor();
  await whole.fill(JSON.stringify({ ...value, contact: { mail: 'me@example.org' } }));
  await page.getByText('Form', { exact: true }).click();
  expect(await page.getByLabel('Mail').inputValue()).toBe('me@example.org');
  await page.getByRole('button', { name: 'Ask' }).click();

  await page.getByRole('columnheader', { name: 'size' }).waitFor();
  expect(JSON.stringify(asked())).toContain('me@example.org');
  await expectAccessible(page);
});

/** Behind what the page does by itself when it is drawn. */
const scrolledTo = `new Promise((resolve) => setTimeout(() =>
  resolve(document.querySelector('[aria-label=Conversation]').scrollTop), 100))`;

/** Which field has the focus, where a part of it is out of sight. */
const isFocusCut = `(() => {
  const field = document.activeElement.getBoundingClientRect();
  const seen = document.querySelector('[aria-label=Conversation]').getBoundingClientRect();
  return field.top < seen.top || field.bottom > seen.bottom ? document.activeElement.outerHTML : '';
})()`;

/** Two of them, by keyboard alone; the second is moved before the first. */
async function addNames(page: Page): Promise<void> {
  const add = page.getByRole('button', { name: 'Add to Names' });
  await add.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('first');
  await add.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('second');
  await page.getByRole('button', { name: 'Move Names 2 up' }).press('Enter');
  const focused = 'document.activeElement.getAttribute("aria-label")';
  expect(await page.evaluate(focused)).toBe('Move Names 1 down');
}

test('five thousand rows are shown in parts, sorted by a click, and taken along whole', async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => ({
    name: `Item ${i}`,
    size: (i * 7_919) % 5_000,
    at: { row: i },
  }));
  const { agent } = toSearcher(rows);
  const { url } = await servePage([agent]);
  const { page } = await visit(browser(), `${url}/#/a/search`);
  await page.getByLabel('Topic').fill('all');
  await page.getByRole('radio', { name: 'brief' }).check();
  await page.getByRole('button', { name: 'Ask' }).click();
  const head = page.getByRole('columnheader', { name: 'size' });
  await head.getByRole('button').click();
  expect(await head.getAttribute('aria-sort')).toBe('ascending');
  const sizes = () => page.locator('tbody tr td:nth-child(2)').allInnerTexts();
  expect((await sizes()).slice(0, 3)).toEqual(['0', '1', '2']);
  expect(await sizes()).toHaveLength(200);
  await head.getByRole('button').click();
  expect((await sizes())[0]).toBe('4999');
  await page.getByRole('button', { name: 'Show 200 more of 4,800' }).click();
  expect(await sizes()).toHaveLength(400);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await (await saving).path();
  expect((await readFile(file, 'utf8')).trimEnd().split('\r\n')).toHaveLength(5_001);
  await page.getByText('Tree', { exact: true }).click();
  await page.getByRole('button', { name: /^found/ }).click();
  await page.getByRole('button', { name: 'Show 100 more of 4,900' }).waitFor();
});
