// A page that is loaded again, has lost its server for a while, or is there twice, shows the same talk.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, whenListening } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';
import { start } from './support/timeline.ts';
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
  // What nobody can say is not said.
  await page.getByRole('navigation').getByText('at work').waitFor({ state: 'hidden' });
  expect(await page.getByRole('article', { name: 'Answer' }).textContent()).toMatch(/Nothing was heard of it since/);
  typing.say('two, ');
  wire.mend();
  await page.getByText('Connection lost, trying again').waitFor({ state: 'hidden' });
  await page.getByText('One, two,', { exact: true }).waitFor();
  await page.getByRole('navigation').getByText('at work').waitFor();
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

test('what is loaded when it is wanted waits for a server that is away; one that has it no more makes the page old', async () => {
  const { page, typing, wire, problems } = await begin();
  typing.say('two.').end();
  await page.getByText('One, two.', { exact: true }).waitFor();
  wire.cut();
  await page.getByRole('button', { name: 'Timeline' }).click();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Loading…').waitFor();
  wire.mend();
  await page.getByRole('treegrid').waitFor();

  await page.route('**/timeline-panel*.js*', (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await page.getByRole('button', { name: 'Timeline' }).click();
  await page.getByRole('alert').getByText('This page is older than the server.').waitFor();
  await page.getByText('One, two.', { exact: true }).waitFor();
  await page.unroute('**/timeline-panel*.js*');
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByRole('button', { name: 'Timeline' }).click();
  await page.getByRole('treegrid').waitFor();
  problems.splice(0, problems.length, ...problems.filter((problem) => !/net::ERR_|404|assets/.test(problem)));
});

test('a part that cannot be drawn says so, and leaves the others as they are', async () => {
  const model = new TypingModel();
  const { url } = await servePage([{ name: 'note', description: 'Writes', instructions: 'Write.', model }]);
  const id = await start(url, 'note', 'Count');
  (await model.next()).say('One.').end();
  const { page, problems } = await visit(browser(), url);
  const spoil = (what: string, odd: string) =>
    page.route('**/events*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(what, odd) });
    });
  await spoil('"instanceName":"note"', '"instanceName":{}');
  await page.goto(`${url}#/s/${id}`);
  await page.getByRole('button', { name: 'Timeline' }).click();
  await page.getByRole('alert').getByText('The timeline cannot be drawn').waitFor();
  await page.getByText('The run goes on on the server').waitFor();
  await page.getByText('One.', { exact: true }).waitFor();

  await page.unroute('**/events*');
  await spoil('"status":"completed"', '"status":"cancelled","failure":{"message":5}');
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByRole('alert').getByText('The talk cannot be drawn').waitFor();
  await page.getByRole('button', { name: 'Timeline' }).click();
  await page.getByRole('treegrid').waitFor();

  await page.unroute('**/events*');
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByText('One.', { exact: true }).waitFor();
  // What was thrown is in the console too.
  expect(problems.splice(0).length).toBe(2);
});
