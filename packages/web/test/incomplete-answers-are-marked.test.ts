// An answer from which the work of a sub-agent is missing says so on the page: which agent, and why; live and after a reload, in the
// talk and in the details of the session.

import { type Agent, asTool } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { expectAccessible } from './support/axe.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';
import { openTimeline } from './support/timeline.ts';

const browser = openBrowser();

function agentOf(name: string, model: Agent['model'], more: Partial<Agent> = {}): Agent {
  return { name, description: `Does ${name}`, instructions: 'Work.', model, ...more };
}

/** Calls both at once, and answers without caring what came of it. */
function team(isSound = false): Agent {
  const research = agentOf(
    'research',
    scriptedModel(() =>
      isSound ? 'Found.' : { fail: { code: 'model-auth', message: 'The provider refused the key.' } },
    ),
    { limits: { maxRetries: 1 } },
  );
  const looks = () => (isSound ? 'Drawn.' : { calls: [{ name: 'ask_user', input: { question: 'Which colour?' } }] });
  const draw = agentOf('draw', scriptedModel(looks), { budget: { tokens: 1 } });
  const calls = [
    { name: 'research', input: { reason: 'Look up the prices', text: 'prices' } },
    { name: 'draw', input: { reason: 'Draw the chart', text: 'chart' } },
  ];
  const tools = [asTool(research), asTool(isSound ? { ...draw, budget: {} } : draw)];
  return agentOf(
    'lead',
    scriptedModel((_, call) => (call === 1 ? { calls } : 'Here is the offer.')),
    { tools },
  );
}

const noteIn = (page: Page) => page.getByRole('article', { name: 'Answer' }).getByRole('note');

async function expectNote(page: Page): Promise<void> {
  await noteIn(page).waitFor();
  const words = await noteIn(page).innerText();
  expect(words).toContain('This answer is incomplete: the work of 2 agents is missing.');
  expect(words).toContain('research (Look up the prices) failed: The provider refused the key.');
  expect(words).toMatch(/draw \(Draw the chart\) (?:failed|was)/);
}

test('the answer names them, live and after a reload, and stays readable', async () => {
  const { url } = await servePage([team()]);
  const { page } = await visit(browser(), url);
  await ask(page, 'An offer, please');
  await page.getByText('Here is the offer.').waitFor();
  await expectNote(page);
  await page.getByText('lead has answered. The answer is incomplete').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await expectAccessible(page);
  await page.reload();
  await expectNote(page);
  // Beside the name of the agent, in the list of sessions.
  await page.getByText('lead · incomplete').waitFor();
});

test('the details of the session name them, in the dark too', async () => {
  const { url } = await servePage([team()]);
  const { page } = await visit(browser(), url, { colorScheme: 'dark' });
  await ask(page, 'An offer, please');
  await expectNote(page);
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^lead/ }).first().click();
  const details = page.getByRole('region', { name: 'Details of lead' });
  await details.getByRole('note').getByText('the work of 2 agents is missing').waitFor();
  await expectAccessible(page);
});

test('an answer from which nothing is missing has no note', async () => {
  const { url } = await servePage([team(true)]);
  const { page } = await visit(browser(), url);
  await ask(page, 'An offer, please');
  await page.getByText('Here is the offer.').waitFor();
  await page.getByText('lead has answered.', { exact: true }).waitFor({ state: 'attached' });
  expect(await page.getByRole('note').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});
