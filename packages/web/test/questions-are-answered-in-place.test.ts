// A question or an approval, from any depth, is answered where the talk is; an answer that is refused is not lost.

import { type Agent, asTool, defineTool } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/axe.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';

const browser = openBrowser();

/** It asks, and then says what it was told. */
function toAsker(name: string, input: object): Agent {
  const model = scriptedModel(({ messages }, call) =>
    call === 1 ? { calls: [{ name: 'ask_user', input }] } : `Heard: ${JSON.stringify(messages.at(-1))}`,
  );
  return { name, description: 'Asks', instructions: 'Ask.', ask: 'person', model };
}

test('a choice is made by keyboard, for a session two levels down', async () => {
  const clerk = toAsker('clerk', { question: 'Which colour?', choices: ['red', 'blue'] });
  const relay = (name: string, below: Agent): Agent => ({
    ...{ name, description: 'Relays', instructions: 'Relay.', tools: [asTool(below)] },
    model: scriptedModel([{ calls: [{ name: below.name, input: { reason: 'ask', text: 'go' } }] }, 'All done.']),
  });
  const { url } = await servePage([relay('desk', relay('office', clerk))]);
  const { page } = await visit(browser(), `${url}/#/a/desk`);
  await page.getByRole('textbox').first().fill('go');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'clerk asks' }).waitFor();
  expect(await page.getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true);
  await page.getByRole('radio', { name: 'red' }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('radio', { name: 'blue' }).isChecked()).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByText('All done.').waitFor();
});

test('two of one kind ask one after the other: each is told by what it is for, and the last is left without an answer', async () => {
  const worker = (call: number) =>
    call === 1 ? { calls: [{ name: 'ask_user', input: { question: 'Shall I go on?' } }] } : 'Looked.';
  const below = { name: 'worker', description: 'Looks', instructions: 'Look.', ask: 'person' as const };
  const model = scriptedModel(({ messages }) => worker(messages.length > 1 ? 2 : 1));
  const calls = ['north', 'south'].map((way) => ({
    name: 'worker',
    input: { reason: `Look at the ${way} quay`, text: way },
  }));
  const boss: Agent = {
    ...{ name: 'boss', description: 'Leads', instructions: 'Lead.', tools: [asTool({ ...below, model })] },
    model: scriptedModel([{ text: 'Let me ask around.', calls }, 'All done.']),
  };
  const { url } = await servePage([boss]);
  const { page } = await visit(browser(), url);
  await page.getByLabel('Message').fill('go');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'worker[1] asks · Look at the north quay' }).waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SECTION');
  await page.getByLabel('Your answer').fill('Yes');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'worker[2] asks · Look at the south quay' }).waitFor();
  await page.getByText('worker[1] asks: Shall I go on?').waitFor();
  expect(await page.getByText('Let me ask around.').count()).toBe(1);
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByText('worker[2] asks: Shall I go on? It was cancelled while it waited for an answer.').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Message');
});

test('an answer that does not fit is told in place, and what was written stays', async () => {
  const schema = {
    type: 'object',
    properties: { day: { type: 'string' }, people: { type: 'integer', minimum: 1 } },
    required: ['day'],
  };
  const { url } = await servePage([toAsker('host', { question: 'When, and how many?', schema })]);
  const { page, problems } = await visit(browser(), `${url}/#/a/host`);
  await page.getByRole('textbox').first().fill('go');
  await page.keyboard.press('Enter');
  await page.getByText('JSON', { exact: true }).click();
  const whole = page.getByLabel('Your answer as JSON');
  await whole.fill('{ "day": "Friday", "people": 0 }');
  await page.getByRole('button', { name: 'Answer' }).click();
  await page.getByRole('alert').getByText('answer-invalid').waitFor();
  expect(await whole.inputValue()).toBe('{ "day": "Friday", "people": 0 }');
  await page.getByText('Form', { exact: true }).click();
  await page.getByLabel('People').fill('4');
  await page.getByRole('button', { name: 'Answer' }).click();
  await page.getByText('Heard:').waitFor();
  // The browser itself says of each refusal that there was one.
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('400')));
});

test('an approval shows what would be done, hides nothing of it, and a refusal has a reason', async () => {
  const transfer = defineTool<{ to: string }>({
    name: 'transfer',
    description: 'Sends money.',
    needsApproval: true,
    inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
    execute: () => 'Sent.',
  });
  const model = scriptedModel(({ messages }, call) =>
    call === 1
      ? { calls: [{ name: 'transfer', input: { to: 'Anna \u202e' } }] }
      : `Heard: ${JSON.stringify(messages.at(-1))}`,
  );
  const agent = { name: 'payer', description: 'Pays', instructions: 'Pay.', tools: [transfer], model };
  const { url } = await servePage([agent]);
  const { page } = await visit(browser(), `${url}/#/a/payer`);
  await page.getByRole('textbox').first().fill('pay');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'payer wants to call transfer' }).waitFor();
  await page.getByText('"to": "Anna \\u202e"').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Reason, if you decline').fill('too much');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Heard:').getByText('too much').waitFor();
  await page.getByRole('article', { name: 'You' }).getByText('Declined: too much', { exact: true }).waitFor();
});
