// Sub-agents are seen as they begin, by the names of their instances and why they were called; one of them is stopped alone.

import { asTool } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/axe.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel, unknown } from './support/page-server.ts';
import { openTimeline, start } from './support/timeline.ts';

const browser = openBrowser();

function team() {
  const [big, small] = [new TypingModel(), new TypingModel()];
  const scout = { name: 'scout', description: 'Scouts', instructions: 'You are a scout.', model: small };
  const lead = { name: 'lead', description: 'Leads', instructions: 'Lead.', tools: [asTool(scout)], model: big };
  return { big, small, lead };
}

const calls = ['Look north', 'Look south'].map((reason) => ({ name: 'agent__scout', input: { reason, text: reason } }));

test('sub-agents appear while they run; one is stopped alone, and the others go on', async () => {
  const { big, small, lead } = team();
  const { url } = await servePage([lead]);
  const { page } = await visit(browser(), `${url}/#/s/${await start(url, 'lead')}`);
  const first = await big.next();
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^Turn 1 · test\/typing, model call, running/ }).waitFor();
  await tree.getByRole('row', { name: /^lead, .*running, .*cost not known yet/ }).waitFor();
  expect(await page.getByLabel('Totals').textContent()).toMatch(/^Cost….*Tokens in…out…/);
  first.say('I send two.').end(calls);
  const north = tree.getByRole('row', { name: /^scout\[1\], Look north, session, running/ });
  const south = tree.getByRole('row', { name: /^scout\[2\], Look south, session, running/ });
  await Promise.all([north.waitFor(), south.waitFor()]);
  const [one] = [await small.next(), await small.next()];
  await page.getByText('On the way').waitFor();
  await page.getByLabel('Totals').getByText('Model calls3Tool calls2').waitFor();
  one.say('It is cold').end();
  await tree.getByRole('row', { name: /^scout\[1\], Look north, session, done/ }).waitFor();

  await south.click();
  const details = page.getByRole('region', { name: 'Details of scout[2]' });
  await details.getByText('lead › scout').waitFor();
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Stop scout[2]' }).click();
  (await small.next()).say('South is half known').end([], unknown);
  await tree.getByRole('row', { name: /^scout\[2\], Look south, session, stopped/ }).waitFor();
  // Whatever is said of it, its name is there in full.
  const isCut = `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('[title="scout[2]"]'))`;
  expect(await page.evaluate(isCut)).toBe(false);
  (await big.next()).say('All is told.').end();
  await tree.getByRole('row', { name: /^lead, .*session, done/ }).waitFor();
  await details.getByText('South is half known').waitFor();
  await details.getByText('It was stopped, and gave what it had.').waitFor();
  expect(await page.getByLabel('Totals').textContent()).not.toContain('…');
  await details.getByText('Summary by agent, model and tool').click();
  expect(await details.getByRole('row', { name: /^lead › scout/ }).textContent()).toMatch(/2 \(1 stopped\)\?unknown/);
});

test('a sub-agent is stopped from its row, by keys too; a refusal is told', async () => {
  const { big, small, lead } = team();
  const { url } = await servePage([lead]);
  const { page, problems } = await visit(browser(), `${url}/#/s/${await start(url, 'lead')}`);
  const tree = await openTimeline(page);
  (await big.next()).end(calls);
  await Promise.all([small.next(), small.next()]);
  const north = tree.getByRole('row', { name: /^scout\[1\], Look north, session/ });
  await page.route('**/stop', (route) => route.fulfill({ status: 429, json: refusal }), { times: 1 });
  await north.getByRole('button', { name: 'Stop scout[1]' }).click();
  await page.getByRole('alert').getByText('Too many at once.').waitFor();
  await tree.getByRole('row', { name: /^lead/ }).focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Tab', 'Enter']) await page.keyboard.press(key);
  await north.getByRole('button', { name: 'Stopping scout[1]' }).waitFor();
  expect(await page.getByRole('region', { name: /^Details/ }).count()).toBe(0);
  (await small.next()).say('North is half known').end();
  await tree.getByRole('row', { name: /^scout\[1\], Look north, session, stopped/ }).waitFor();
  await tree.getByRole('row', { name: /^scout\[2\], Look south, session, running/ }).waitFor();
  expect(await north.getByRole('button').count()).toBe(0);
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('429')));
});

const refusal = { error: { class: 'rate_limit', code: 'rate-limited', message: 'Too many at once.' } };

test('a turn is tried again in a new session, on what was said before it', async () => {
  const { big, small, lead } = team();
  const { url } = await servePage([lead]);
  const id = await start(url, 'lead', 'How is it there?');
  const { page } = await visit(browser(), `${url}/#/s/${id}`);
  (await big.next()).say('I send two.').end(calls);
  for (const text of ['It is cold.', 'It is warm.']) (await small.next()).say(text).end();
  (await big.next()).say('Mild, then.').end();
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^Turn 2 · test\/typing, Mild, then\., model call, done/ }).click();
  await page.getByRole('button', { name: 'Retry from here' }).click();
  const again = await big.next();
  expect(JSON.stringify(again.messages)).toContain('It is warm.');
  again.say('Of both kinds.').end();
  await page.waitForURL((to) => /#\/s\/\w+$/.test(to.href) && !to.href.endsWith(id));
  const answers = page.getByRole('article', { name: 'Answer' });
  await answers.getByText('Of both kinds.').waitFor();
  expect(await page.getByRole('article', { name: 'You' }).allTextContents()).toEqual(['How is it there?']);
  expect(await answers.count()).toBe(2);
  await tree.getByRole('row', { name: /^Turn \d · test\/typing, Of both kinds\., model call, done/ }).waitFor();
  await page.goBack();
  await answers.getByText('Mild, then.').waitFor();
});

test('the whole of a cut text, what a call used and its log are one click away', async () => {
  const { big, lead } = team();
  const { url } = await servePage([lead]);
  const { page } = await visit(
    browser(),
    `${url}/#/s/${await start(url, 'lead', `Begin. ${'word '.repeat(900)}the end`)}`,
  );
  (await big.next()).think('Let me see.').say('Well.').end();
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^Turn 1 · test\/typing, Well\., model call, done/ }).click();
  const call = page.getByRole('region', { name: 'Details of Turn 1 · test/typing' });
  await call.getByText('120 in · 40 out · 60 from cache').waitFor();
  await call.getByText('Reasoning').click();
  await call.getByText('Let me see.').waitFor();
  await tree.getByRole('row', { name: /^lead/ }).click();
  const session = page.getByRole('region', { name: 'Details of lead' });
  await session.getByRole('button', { name: /^Show all \(4,\d+ characters\)/ }).click();
  await session.getByText('the end').waitFor();
  await session.getByText('System prompt').click();
  await session.getByText(/^Lead\./).waitFor();
  await session.getByText('Log', { exact: true }).click();
  await session.getByText('session of lead started').waitFor();
  await expectAccessible(page);
});

test('the ticks of the head stand where the lines and bars of the rows do, whatever the width', async () => {
  const { big, small, lead } = team();
  const { url } = await servePage([lead]);
  const { page } = await visit(browser(), `${url}/#/s/${await start(url, 'lead')}`);
  (await big.next()).end(calls);
  for (const text of ['North.', 'South.']) (await small.next()).say(text).end();
  (await big.next()).say('Done.').end();
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^lead, .*done/ }).waitFor();
  for (const width of [1703, 1280, 390]) {
    await page.setViewportSize({ width, height: 420 });
    await page.locator(`[data-narrow="${width < 520}"]`).waitFor();
    await expect.poll(() => page.evaluate(farthestFromTick), { message: `${width} wide` }).toBeLessThan(1);
    expect(await page.getByText('model call', { exact: true }).isVisible(), `the legend, ${width} wide`).toBe(true);
  }
});

/** How far a line, or the bar of the root, is from its tick. */
const farthestFromTick = `(() => {
  const left = (element) => element.getBoundingClientRect().left;
  const ticks = [...document.querySelectorAll('thead [data-tick]')];
  const rows = [...document.querySelectorAll('tbody tr')];
  if (ticks.length < 2 || rows.length < 2) return Infinity;
  const lines = ticks.flatMap((tick) =>
    tick.dataset.tick === '' ? [] : rows.map((row) => left(row.querySelector('[data-tick="' + tick.dataset.tick + '"]')) - left(tick)));
  const bar = left(rows[0].querySelector('[data-tick] ~ :not([data-tick])')) - left(ticks[0]);
  return Math.max(...[...lines, bar].map(Math.abs));
})()`;

test('everything is done by keys', async () => {
  const { big, small, lead } = team();
  const { url } = await servePage([lead]);
  const { page } = await visit(browser(), `${url}/#/s/${await start(url, 'lead')}`);
  (await big.next()).end(calls);
  for (const text of ['North.', 'South.']) (await small.next()).say(text).end();
  (await big.next()).say('Done.').end();
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^lead, .*done/ }).focus();
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")?.split(",")[0]');
  const keys = async (...names: string[]) => {
    for (const name of names) await page.keyboard.press(name);
  };
  await keys('ArrowDown', 'ArrowDown', 'ArrowDown');
  await expect.poll(focused).toBe('scout[1]');
  await keys('ArrowLeft');
  await expect.poll(() => tree.getByRole('row', { expanded: false }).count()).toBe(1);
  await keys('ArrowDown');
  await expect.poll(focused).toBe('scout[2]');
  await keys('ArrowRight');
  await expect.poll(focused).toBe('Turn 1 · test/typing');
  await keys('Home', 'End');
  await expect.poll(focused).toBe('Turn 2 · test/typing');
  await keys('Enter');
  await expect.poll(focused).toBe('Details of Turn 2 · test/typing');
  await keys('Escape');
  await expect.poll(focused).toBe('Turn 2 · test/typing');
  expect(await page.getByRole('region', { name: /^Details/ }).count()).toBe(0);
});
