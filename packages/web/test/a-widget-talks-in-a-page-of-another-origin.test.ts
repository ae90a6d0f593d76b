// The promise: one script tag and one element are a chat in a page of another origin, which sets how it looks and hears what was
// answered, and whose strict policy has nothing to say against it. Where the key is not for that page, it says so.

import { type Agent, asTool, type ToolOffer } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/axe.ts';
import { openBrowser } from './support/browser.ts';
import { askWidget, forgive, visitHost, widgetKey } from './support/host-page.ts';
import { TypingModel } from './support/page-server.ts';

const browser = openBrowser();

function shopOf(model: Agent['model'], more: Partial<Agent> = {}): Agent {
  return { name: 'shop', description: 'Knows the shop', instructions: 'You know the shop.', model, ...more };
}

/** Keeps what the page hears of the widget. */
async function listen(page: Page): Promise<() => Promise<{ readonly type: string; readonly detail: unknown }[]>> {
  await page.evaluate(`window.heard = [];
    for (const type of ['ai-agent-answer', 'ai-agent-error'])
      document.addEventListener(type, ({ detail }) => heard.push({ type, detail }));`);
  return () => page.evaluate('window.heard');
}

test('it answers as it is written, goes on with what was said, and tells the page', async () => {
  const model = new TypingModel();
  const { page } = await visitHost(browser(), [shopOf(model)], { attributes: 'heading="Ask the shop"' });
  const heard = await listen(page);
  await askWidget(page, 'Which plans are there?');
  const first = await model.next();
  await page.getByText('At work').waitFor();
  first.say('There are **two pl');
  await page.locator('strong', { hasText: 'two pl' }).waitFor();
  first.say('ans**.').end();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  expect(await page.locator('article strong').textContent()).toBe('two plans');
  await askWidget(page, 'And the smaller one?');
  (await model.next()).say('It is for five.').end();
  await page.getByText('It is for five.').waitFor();
  await expect.poll(async () => (await heard()).length).toBe(2);
  const [one, two] = (await heard()) as { detail: { session: string } }[];
  expect(one).toMatchObject({
    type: 'ai-agent-answer',
    detail: { status: 'completed', text: 'There are **two plans**.' },
  });
  expect(two?.detail.session).toBe(one?.detail.session);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start again' }).click();
  expect(await page.locator('article').count()).toBe(0);
});

/** The class or, without one, the name of the element in the widget that has the focus. */
function focusIn(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { activeElement } = document.querySelector('ai-agent-chat').shadowRoot;
    return activeElement?.className || activeElement?.tagName;
  })()`);
}

test('what goes on is shown by its titles; questions are answered in place', async () => {
  const child: Agent = {
    name: 'stock',
    description: 'Counts',
    instructions: 'Count.',
    model: scriptedModel(['Seven.']),
  };
  const asked = { name: 'ask_user', input: { question: 'Which colour?', choices: ['Red', 'Blue'] } };
  const model = new TypingModel();
  const agent = shopOf(model, { tools: [asTool(child) as ToolOffer], ask: 'person' });
  const { page } = await visitHost(browser(), [agent]);
  await askWidget(page, 'How many are left?');
  (await model.next()).end([{ name: 'stock', input: { text: 'Count them', reason: 'Counting what is left' } }]);
  await page.getByText('Counting what is left').waitFor();
  (await model.next()).end([asked]);
  await page.getByRole('group', { name: 'Which colour?' }).getByRole('button', { name: 'Blue' }).press('Enter');
  await expect.poll(() => focusIn(page)).toBe('log');
  (await model.next()).say('Seven blue ones.').end();
  await page.getByText('Seven blue ones.').waitFor();
  expect(await page.locator('.asked').allTextContents()).toEqual(['You: How many are left?', 'You: Blue']);
  // What was asked stays where it was asked.
  expect(await page.locator('article').allTextContents()).toEqual([
    expect.stringMatching(/Which colour\?$/),
    'Seven blue ones.',
  ]);
  await page.getByText('1 step').click();
  expect(await page.getByText('Counting what is left').isVisible()).toBe(true);
});

test('an answer that does not fit is said, and the question stays open; one that wants fields says which', async () => {
  const model = new TypingModel();
  const { page, problems } = await visitHost(browser(), [shopOf(model, { ask: 'person' })]);
  await askWidget(page, 'I want one.');
  (await model.next()).end([{ name: 'ask_user', input: { question: 'Which colour?', choices: ['Red', 'Blue'] } }]);
  await page.getByRole('button', { name: 'Red' }).waitFor();
  await page.getByLabel('Your answer').fill('Green');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('"Green" is none of').waitFor();
  await page.getByRole('button', { name: 'Red' }).click();
  const schema = { type: 'object', properties: { street: { type: 'string' }, number: { type: 'integer' } } };
  (await model.next()).end([{ name: 'ask_user', input: { question: 'Where to?', schema } }]);
  await page.getByText('Write the answer as JSON: { "street": …, "number": … }').waitFor();
  await page.getByLabel('Your answer').fill('{ "street": "Long Lane", "number": 7 }');
  await page.keyboard.press('Enter');
  (await model.next()).say('It is on its way.').end();
  await page.getByText('It is on its way.').waitFor();
  forgive(problems, 'status of 400');
});

test('a connection that is lost comes back where it was; a session that nobody has any more is begun anew', async () => {
  const model = new TypingModel();
  const { page, wire, server, problems } = await visitHost(browser(), [shopOf(model)]);
  const heard = await listen(page);
  await askWidget(page, 'Count.');
  const typing = (await model.next()).say('One, ');
  await page.getByText('One,').waitFor();
  const again = page.waitForRequest((request) => request.headers()['last-event-id'] !== undefined);
  wire.cut();
  await page.getByText('Connecting again').waitFor();
  typing.say('two, ');
  wire.mend();
  await again;
  await page.getByText('One, two,', { exact: true }).waitFor();
  typing.say('three.').end();
  await page.getByText('One, two, three.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  const [{ detail } = { detail: undefined }] = (await heard()) as { detail: { session: string } }[];
  await server.hall.store.delete(detail?.session ?? '');
  await page.getByLabel('Ask a question').fill('And four?');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This talk is not kept any more.').waitFor();
  await askWidget(page, 'Four?');
  (await model.next()).say('Four.').end();
  await page.getByText('Four.', { exact: true }).waitFor();
  for (const part of ['net::ERR_', 'status of 404']) forgive(problems, part);
});

test('another agent or key begins another talk, and ends what runs with the key that it was begun with', async () => {
  const [model, other] = [new TypingModel(), new TypingModel()];
  const { page } = await visitHost(browser(), [shopOf(model), { ...shopOf(other), name: 'desk' }], {
    script: 'type="module"',
  });
  const set = (name: string, value: string) =>
    page.evaluate(`document.querySelector('ai-agent-chat').setAttribute('${name}', '${value}')`);
  await askWidget(page, 'Tell me.');
  const typing = (await model.next()).say('First of all');
  await page.getByText('First of all').waitFor();
  await set('key', 'pk-another');
  await expect.poll(() => typing.isCutOff).toBe(true);
  expect(await page.locator('article').count()).toBe(0);
  await set('key', widgetKey);
  await set('agent', 'desk');
  await askWidget(page, 'Who is there?');
  (await other.next()).say('The desk.').end();
  await page.getByText('The desk.').waitFor();
});

test('it looks as the variables of the page say, in light and dark', async () => {
  const style = 'ai-agent-chat { --ai-agent-accent: rgb(120, 20, 90); --ai-agent-radius: 3px; color-scheme: dark }';
  const { page } = await visitHost(browser(), [shopOf(new TypingModel())], { style });
  await page.getByLabel('Ask a question').fill('x');
  const styleOf = (selector: string, name: string) =>
    page.evaluate(
      `getComputedStyle(document.querySelector('ai-agent-chat').shadowRoot.querySelector('${selector}'))['${name}']`,
    );
  expect(await styleOf('.send', 'backgroundColor')).toBe('rgb(120, 20, 90)');
  expect(await styleOf('.send', 'borderRadius')).toBe('3px');
  expect(await styleOf('.panel', 'backgroundColor')).toBe('rgb(20, 23, 24)');
  // Lines and the ground of code are of its paper, where the page says nothing of them.
  const line = await styleOf('.panel', 'borderColor');
  await page.evaluate(
    `document.querySelector('ai-agent-chat').style.setProperty('--ai-agent-paper', 'rgb(90, 20, 60)')`,
  );
  expect(await styleOf('.panel', 'borderColor')).not.toBe(line);
});

test('behind a button it opens, takes the focus, and closes with Escape; what was half written is kept', async () => {
  const { page } = await visitHost(browser(), [shopOf(new TypingModel())], {
    attributes: 'launcher="Ask us"',
    context: { viewport: { width: 390, height: 844 } },
  });
  await page.getByRole('button', { name: 'Ask us' }).click();
  expect(await focusIn(page)).toBe('TEXTAREA');
  await expectAccessible(page);
  await page.keyboard.type('How late are');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Ask us' }).waitFor();
  expect(await page.getByLabel('Ask a question').count()).toBe(0);
  await page.keyboard.press('Enter');
  expect(await page.getByLabel('Ask a question').inputValue()).toBe('How late are');
});

test('where its key is not for the page, it says so in place', async () => {
  const { page, problems } = await visitHost(browser(), [shopOf(new TypingModel())], { isListed: false });
  const heard = await listen(page);
  await page.getByLabel('Ask a question').fill('Hello?');
  const isTold = page.waitForEvent('console', (said) => said.text().includes('not allowed on pages of'));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This chat is not set up for this page.', { exact: true }).waitFor();
  // Why is for whoever built the page.
  expect((await isTold).text()).toContain(new URL(page.url()).origin);
  expect(await heard()).toMatchObject([{ type: 'ai-agent-error', detail: { failure: { code: 'origin-refused' } } }]);
  expect(await page.getByRole('alert').textContent()).not.toContain(widgetKey);
  // The browser itself says that it was refused.
  for (const part of ['blocked by CORS policy', 'Failed to load resource']) forgive(problems, part);
});

test('where its key has been used too often, it says how long to wait', async () => {
  const agent = shopOf(scriptedModel(['Yes.']));
  const { page, problems } = await visitHost(browser(), [agent], { requestsPerMinute: 1 });
  await askWidget(page, 'Are you there?');
  await page.getByText('Yes.').waitFor();
  await page.getByLabel('Ask a question').fill('Still?');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alert');
  await alert.getByText(/^Try again in \d+ seconds\.$/).waitFor();
  expect(await alert.textContent()).toMatch(/^Too many messages at once\.Try again in \d+ seconds\.$/);
  forgive(problems, 'status of 429');
});
