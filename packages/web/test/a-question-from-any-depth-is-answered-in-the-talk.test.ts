// A sub-agent of a sub-agent asks a person; the question stands in the talk, and its answer wakes the one that asked.

import { asTool } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';
import { openTimeline, start } from './support/timeline.ts';

const browser = openBrowser();
const lastOf = (messages: readonly unknown[]) => JSON.stringify(messages.at(-1));

const painter = {
  name: 'painter',
  description: 'Paints',
  instructions: 'Paint.',
  ask: 'person' as const,
  model: scriptedModel(({ messages }) =>
    lastOf(messages).includes('blue')
      ? 'Painted blue.'
      : { calls: [{ name: 'ask_user', input: { question: 'Which colour?', choices: ['blue', 'red'] } }] },
  ),
};

const master = {
  name: 'master',
  description: 'Builds',
  instructions: 'Build.',
  tools: [asTool(painter)],
  model: scriptedModel(({ messages }) =>
    lastOf(messages).includes('Painted blue')
      ? 'Built and painted blue.'
      : { calls: [{ name: 'painter', input: { reason: 'paint it', text: 'paint' } }] },
  ),
};

const owner = {
  name: 'owner',
  description: 'Owns',
  instructions: 'Own.',
  tools: [asTool(master)],
  model: scriptedModel(({ messages }) =>
    lastOf(messages).includes('painted blue')
      ? 'The boat is ready, and it is blue.'
      : { calls: [{ name: 'master', input: { reason: 'build it', text: 'build' } }] },
  ),
};

test('the question of a grandchild is asked in place of the composer, also after a reload', async () => {
  const { url } = await servePage([owner]);
  const { page } = await visit(browser(), url);
  await ask(page, 'A boat, please');
  await page.getByText('Which colour?', { exact: true }).waitFor();
  expect(await page.getByLabel('Message').count()).toBe(0);
  // It stands right below what was said: there is no answer yet, and no figures of one.
  expect(await page.getByRole('article', { name: 'Answer' }).count()).toBe(0);
  const said = await page.getByRole('article', { name: 'You' }).boundingBox();
  const asked = await page.getByRole('heading', { name: 'painter asks' }).boundingBox();
  expect((asked?.y ?? 900) - (said?.y ?? 0)).toBeLessThan(120);
  await page.reload();
  await page.getByRole('radio', { name: 'blue' }).check();
  await page.getByRole('button', { name: 'Answer' }).click();
  await page.getByText('The boat is ready, and it is blue.').waitFor();
  await page.getByRole('article').getByText('painter asks: Which colour?').waitFor();
  expect(await page.getByRole('article', { name: 'You' }).allTextContents()).toEqual(['A boat, please', 'blue']);
  await page.getByLabel('Message').waitFor();
});

test('it is answered in the row of whoever asks, by keys alone; the round that goes on can be tried again', async () => {
  const { url } = await servePage([owner]);
  const { page } = await visit(browser(), `${url}/#/s/${await start(url, 'owner', 'A boat, please')}`);
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^painter, paint it, session, asks you/ }).waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('button', { name: 'Answer' }).focus();
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: 'Details of painter' });
  await details.getByText('Which colour?', { exact: true }).waitFor();
  await details.getByRole('radio', { name: 'blue' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('The boat is ready, and it is blue.').waitFor();
  await tree.getByRole('row', { name: /^Round 2, .*round, done/ }).click();
  await tree.getByRole('row', { name: /^Round 1, .*round, answered/ }).waitFor();
  const first = page.url();
  await page.getByRole('button', { name: 'Retry from here' }).click();
  await page.waitForURL((to) => to.href !== first);
  await page.getByRole('article').getByText('The boat is ready, and it is blue.').waitFor();
});
