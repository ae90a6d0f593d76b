// However large a tree is, only what is seen of it is in the page: no long task over 200 ms, fewer than 1,500 elements.

import { scriptedModel } from '@ai-agent/core/testing';
import { MemorySessions } from '@ai-agent/server';
import { expect, test } from 'vitest';
import { openBrowser, visit } from './support/browser.ts';
import { longestTask } from './support/longest-task.ts';
import { makeManyFacts } from './support/many-facts.ts';
import { servePage } from './support/page-server.ts';
import { openTimeline } from './support/timeline.ts';

const browser = openBrowser();
const id = 'manymanymany';

test('it is scrolled from end to end, closed and opened, and nothing takes long', async () => {
  const { facts, nodes } = makeManyFacts(id, 70);
  expect(nodes).toBeGreaterThanOrEqual(5_000);
  const store = new MemorySessions();
  const head = { id, agent: 'lead', owner: null, headend: 'rest', isDetached: true, resumptions: 0 } as const;
  const [createdAt = 0, endedAt = 0] = [facts[0]?.at, facts.at(-1)?.at];
  store.put({ ...head, status: 'running', createdAt, facts: 0 });
  store.append(id, facts);
  store.put({ ...head, status: 'completed', createdAt, endedAt, facts: facts.length });
  const agent = { name: 'lead', description: 'Leads', instructions: 'Lead.', model: scriptedModel(['Done.']) };
  const { url } = await servePage([agent], { store });
  const { page } = await visit(browser(), `${url}/#/s/${id}`);
  const tree = await openTimeline(page);
  await expect.poll(() => tree.getAttribute('aria-rowcount'), { timeout: 20_000 }).toBe(String(rowsOf(70)));

  const longest = await longestTask(browser(), page, async () => {
    expect(await page.evaluate(scrollThrough)).toBeLessThan(1_500);
    expect(await tree.getByRole('row').last().getAttribute('aria-rowindex')).toBe(String(rowsOf(70)));
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await expect.poll(() => tree.getAttribute('aria-rowcount')).toBe('2');
    await page.getByRole('button', { name: 'Expand all' }).click();
    await expect.poll(() => tree.getAttribute('aria-rowcount')).toBe(String(rowsOf(70)));
  });
  expect(longest).toBeLessThan(200);
}, 60_000);

/** Gives how many elements there were at most. */
const scrollThrough = `(async () => {
  const place = document.querySelector('[role="treegrid"]').parentElement;
  let most = 0;
  const whole = place.scrollHeight - place.clientHeight;
  for (let step = 0; step <= 40; step++) {
    place.scrollTop = (whole * step) / 40;
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    most = Math.max(most, document.querySelectorAll('*').length);
  }
  place.scrollTop = place.scrollHeight;
  await new Promise((resolve) => setTimeout(resolve, 200));
  return most;
})()`;

/** The root and the head of the table; in each turn its row, its model call, and eight times a scout with seven rows below. */
function rowsOf(turns: number): number {
  return 2 + turns * (2 + 8 * 8);
}
