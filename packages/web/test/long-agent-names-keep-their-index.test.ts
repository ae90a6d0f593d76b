// The index of a call tells calls of one agent apart: a long name is cut before it, never the index itself.

import { asTool } from '@ai-agent/core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';
import { openTimeline, start } from './support/timeline.ts';

const browser = openBrowser();
const name = 'a-very-long-agent-name-for-research-in-old-archives';
const widths = [390, 768, 1100, 1500];

/** Three calls of the agent with the long name, all at work. */
async function visitThree() {
  const [big, small] = [new TypingModel(), new TypingModel()];
  const research = { name, description: 'Researches', instructions: 'Research.', model: small };
  const lead = { name: 'lead', description: 'Leads', instructions: 'Lead.', tools: [asTool(research)], model: big };
  const { url } = await servePage([lead]);
  const visited = await visit(browser(), `${url}/#/s/${await start(url, 'lead')}`);
  const reasons = ['Look through the papers of the harbour', 'Look north', 'Look south'];
  const calls = reasons.map((reason) => ({ name: `agent__${name}`, input: { reason, text: reason } }));
  (await big.next()).end(calls);
  for (const _ of calls) await small.next();
  return visited;
}

/** The indexes that are seen whole: inside of the window and of everything that hides what overflows it. */
const seenIn = (place: string) => `(() => {
  const isInside = (element, { left, right }) => {
    const box = element.getBoundingClientRect();
    return getComputedStyle(element).overflowX === 'visible' || (left >= box.left - 1 && right <= box.right + 1);
  };
  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    for (let above = element; above; above = above.parentElement) if (!isInside(above, box)) return false;
    return box.width > 0 && box.left >= 0 && box.right <= innerWidth;
  };
  const spans = [...document.querySelector(${JSON.stringify(place)}).querySelectorAll('span')];
  const indexes = spans.filter(({ textContent }) => /^\\[\\d\\]$/.test(textContent));
  return indexes.filter(isSeen).map(({ textContent }) => textContent);
})()`;

async function expectIndexes(page: Page, place: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 });
    const seen = () => page.evaluate(seenIn(place));
    await expect.poll(seen, { message: `at ${width} pixels` }).toEqual(['[1]', '[2]', '[3]']);
  }
}

test('in the rows of the timeline, at every width', async () => {
  const { page } = await visitThree();
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: new RegExp(`^${name}\\[3\\]`) }).waitFor();
  await expectIndexes(page, '[role="treegrid"]');
});

test('in the list of agents at work, at every width', async () => {
  const { page } = await visitThree();
  await page.getByRole('list', { name: 'At work' }).waitFor();
  await expectIndexes(page, '[aria-label="At work"]');
});
