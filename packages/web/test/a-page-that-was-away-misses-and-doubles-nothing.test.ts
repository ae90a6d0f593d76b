// A page that is loaded again, has lost its server for a while, or is there twice, shows the same talk.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, whenListening } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';
import { layWire } from './support/wire.ts';

const browser = openBrowser();

async function begin() {
  const model = new TypingModel();
  const server = await servePage([{ name: 'note', description: 'Writes', instructions: 'Write.', model }]);
  const wire = await layWire(server.port);
  const visited = await visit(browser(), wire.url);
  await ask(visited.page, 'Count');
  const typing = await model.next();
  await whenListening(visited.page);
  typing.say('One, ');
  await visited.page.getByText('One,').waitFor();
  return { ...visited, typing, model, wire };
}

const answers = (page: Page) => page.getByRole('article', { name: 'Answer' });

test('loaded again in mid-stream it shows what is known and streams on', async () => {
  const { page, typing } = await begin();
  await page.reload();
  await page.getByRole('article', { name: 'You' }).getByText('Count').waitFor();
  await page.getByText('One,', { exact: true }).waitFor();
  typing.say('two, ');
  await page.getByText('One, two,', { exact: true }).waitFor();
  typing.say('three.').end();
  await page.getByText('One, two, three.', { exact: true }).waitFor();
  expect(await answers(page).count()).toBe(1);
});

test('a connection that is lost is said, and comes back by itself', async () => {
  const { page, typing, wire, problems } = await begin();
  wire.cut();
  await page.getByText('Connection lost, trying again').waitFor();
  typing.say('two, ');
  wire.mend();
  await page.getByText('Connection lost, trying again').waitFor({ state: 'hidden' });
  await page.getByText('One, two,', { exact: true }).waitFor();
  typing.say('three.').end();
  await page.getByText('One, two, three.', { exact: true }).waitFor();
  expect(await answers(page).count()).toBe(1);
  expect(await page.getByText('One,').count()).toBe(1);
  problems.splice(0, problems.length, ...problems.filter((problem) => !/net::ERR_/.test(problem)));
});

test('two tabs see the same run, and one sees what the other asks next', async () => {
  const { page, context, typing, model } = await begin();
  const other = await context.newPage();
  other.setDefaultTimeout(10_000);
  await other.goto(page.url());
  await whenListening(other);
  typing.say('two.').end();
  for (const tab of [page, other]) await tab.getByText('One, two.', { exact: true }).waitFor();
  await ask(other, 'Go on');
  const next = await model.next();
  next.say('Three.').end();
  for (const tab of [page, other]) {
    await tab.getByText('Three.', { exact: true }).waitFor();
    expect(await answers(tab).count()).toBe(2);
  }
});
