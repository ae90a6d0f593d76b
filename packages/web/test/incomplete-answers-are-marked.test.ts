// An answer from which the work of a sub-agent is missing says so on the page: which agent, and why; live and after a reload, in the
// talk and in the details of the session.

import { type Agent, asTool } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { MemorySessions } from '@ai-agent/server';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { expectAccessible } from './support/axe.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';
import { openTimeline, start } from './support/timeline.ts';

const browser = openBrowser();

function agentOf(name: string, model: Agent['model'], more: Partial<Agent> = {}): Agent {
  return { name, description: `Does ${name}`, instructions: 'Work.', model, ...more };
}

/** Calls both at once, and answers without caring what came of it. */
function team(isSound = false, message = 'The provider refused the key.'): Agent {
  const research = agentOf(
    'research',
    scriptedModel(() => (isSound ? 'Found.' : { fail: { code: 'model-auth', message } })),
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

test('a session that was interrupted names the sub-agents that it lost, in the talk and in its details', async () => {
  const model = new TypingModel();
  const lead = agentOf(
    'lead',
    scriptedModel([{ calls: [{ name: 'research', input: { reason: 'Look up', text: 'go' } }] }]),
    {
      tools: [asTool(agentOf('research', model))],
    },
  );
  const before = new MemorySessions();
  const id = await start((await servePage([lead], { store: before })).url, 'lead');
  await model.next();
  await expect.poll(() => before.facts(id, 0).at(-1)?.type).toBe('model-start');
  const facts = [...before.facts(id, 0)];
  const head = before.get(id);
  if (!head) throw new TypeError('The session is not in the store.');
  const store = new MemorySessions();
  store.put(head);
  store.append(id, facts);
  store.put({ ...head, status: 'interrupted', endedAt: head.createdAt, facts: facts.length });
  const { url } = await servePage([lead], { store });
  const { page } = await visit(browser(), `${url}/#/s/${id}`);
  await page.getByText('The server stopped while it was at work.').waitFor();
  const lost = 'research (Look up) failed: The process ended before this call did.';
  await noteIn(page).getByText(lost).waitFor();
  const tree = await openTimeline(page);
  await tree.getByRole('row', { name: /^lead/ }).first().click();
  await page.getByRole('region', { name: 'Details of lead' }).getByRole('note').getByText(lost).waitFor();
});

test('the list of conversations says both of an answer that was cut short and is incomplete', async () => {
  const name = 'research-lead-of-the-whole-harbour';
  const lead = { ...team(), name, limits: { maxTurns: 2 } };
  const { url } = await servePage([lead]);
  const { page } = await visit(browser(), url);
  await ask(page, 'An offer, please');
  const list = page.getByRole('navigation', { name: 'Conversations' });
  await list.getByText(`${name} · cut short, incomplete`).waitFor();
  // A long name is cut before that.
  const words = await list.getByText('· cut short, incomplete', { exact: true }).boundingBox();
  const time = await list.getByRole('time').boundingBox();
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(time?.x ?? 0);
});

test('a long message of a provider is cut to 200 characters, and the tooltip has all of it', async () => {
  const message = `The provider refused the key. ${'More words. '.repeat(30)}The end.`;
  const { url } = await servePage([team(false, message)]);
  const { page } = await visit(browser(), url);
  await ask(page, 'An offer, please');
  const item = noteIn(page).getByRole('listitem').filter({ hasText: 'research' });
  await item.getByTitle(message).waitFor();
  expect(await item.getByTitle(message).textContent()).toHaveLength(201);
});
