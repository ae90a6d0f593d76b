// Whoever asked may stop the run, which wraps up, or cancel it, which ends at once. Both are told.

import { asTool } from '@ai-agent/core';
import { MemorySessions } from '@ai-agent/server';
import { expect, test } from 'vitest';
import { ask, whenListening } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';

const browser = openBrowser();

function team() {
  const [lead, child] = [new TypingModel(), new TypingModel()];
  const helper = { name: 'helper', description: 'Helps', instructions: 'Help.', model: child };
  const agent = { name: 'lead', description: 'Leads', instructions: 'Lead.', tools: [asTool(helper)], model: lead };
  return { lead, child, agent };
}

test('what is done is told while it is done; stopped, it answers with what there is', async () => {
  const { lead, child, agent } = team();
  const { url } = await servePage([agent]);
  const { page } = await visit(browser(), url);
  await ask(page, 'Do it');
  (await lead.next()).end([
    { name: 'helper', input: { reason: 'The north side', text: 'a' } },
    { name: 'helper', input: { reason: `The south side ${'and more '.repeat(40)}`, text: 'b' } },
  ]);
  const helping = [await child.next(), await child.next()];
  const lines = page.getByRole('list', { name: 'At work' });
  await lines.getByText('The north side').waitFor();
  expect(await lines.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/^helper\[1\]The north side\d s$/),
    expect.stringMatching(/^helper\[2\]The south side .*\d s$/),
  ]);
  const [list, answer] = [await lines.boundingBox(), await page.getByRole('article').last().boundingBox()];
  expect(list?.width).toBeLessThanOrEqual(answer?.width ?? 0);
  await page.getByRole('button', { name: 'Stop' }).click();
  (await lead.next()).say('Only the north.').end();
  await page.getByText('Only the north.').waitFor();
  await page.getByText('Stopped. This is what was done until then.').waitFor();
  expect(helping.every(({ isCutOff }) => isCutOff)).toBe(true);
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
});

test('cancelled, it ends at once and keeps the words that were written', async () => {
  const { lead, agent } = team();
  const { url } = await servePage([agent]);
  const { page } = await visit(browser(), url);
  await ask(page, 'Do it');
  const typing = await lead.next();
  await whenListening(page);
  typing.say('It began so');
  await page.getByText('It began so').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled. This is what was written.').waitFor();
  await page.getByText('It began so').waitFor();
  expect(typing.isCutOff).toBe(true);
  // The button is gone, and the focus is where one goes on.
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Message');
  await ask(page, 'Go on');
  (await lead.next()).say('And so it ends.').end();
  for (const look of [() => Promise.resolve(), () => page.reload()]) {
    await look();
    await page.getByText('And so it ends.').waitFor();
    const [first] = await page.getByRole('article', { name: 'Answer' }).allTextContents();
    expect(first).toMatch(/It began so.*Cancelled. This is what was written./);
  }
});

test('a stop that does not get through is told, and can be tried again', async () => {
  const { lead, agent } = team();
  const { url } = await servePage([agent]);
  const { page, problems } = await visit(browser(), url);
  await ask(page, 'Do it');
  (await lead.next()).say('So far.');
  await page.route('**/stop', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('The server does not answer.').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  (await lead.next()).say('That is all.').end();
  await page.getByText('Stopped. This is what was done until then.').waitFor();
  problems.splice(0, problems.length, ...problems.filter((problem) => !/net::ERR_/.test(problem)));
});

test('a server that stops in the middle says so; while it is away that is told, and no longer', async () => {
  const { lead, agent } = team();
  const store = new MemorySessions();
  const server = await servePage([agent], { store });
  const { page, problems } = await visit(browser(), server.url);
  await ask(page, 'Do it');
  const typing = await lead.next();
  await whenListening(page);
  typing.say('It began so');
  await page.getByText('It began so').waitFor();
  await server.hall.stop(0);
  await page.getByText('The server stopped before this run had ended. This is what was written.').waitFor();
  expect(await page.getByText('Cancelled').count()).toBe(0);
  await server.stop();
  const look = () => page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  const away = page.getByText('The server does not answer');
  await look();
  await away.waitFor();
  await servePage([agent], { store, port: server.port });
  await look();
  await away.waitFor({ state: 'hidden' });
  await page.getByText('It began so').waitFor();
  problems.splice(0, problems.length, ...problems.filter((problem) => !/net::ERR_/.test(problem)));
});

test('what was cancelled, or cut short, is tried again in a new talk', async () => {
  const { lead, agent } = team();
  const { url } = await servePage([agent]);
  const { page } = await visit(browser(), url);
  await ask(page, 'Do it');
  await lead.next();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled. Nothing was answered.').waitFor();
  const first = page.url();
  await page.getByRole('button', { name: 'Try again' }).click();
  (await lead.next()).say('Done now.').end();
  await page.getByText('Done now.').waitFor();
  expect(page.url()).not.toBe(first);
  await ask(page, 'More');
  (await lead.next()).say('So far.');
  await page.getByRole('button', { name: 'Stop' }).click();
  (await lead.next()).say('Half of it.').end();
  const second = page.url();
  await page.getByRole('button', { name: 'Try again' }).click();
  (await lead.next()).say('All of it.').end();
  await page.getByText('All of it.').waitFor();
  expect(page.url()).not.toBe(second);
});
