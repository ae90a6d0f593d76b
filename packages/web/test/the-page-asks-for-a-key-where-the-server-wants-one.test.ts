// A key is asked for when the server needs one, and is in the memory of the page alone.

import { scriptedModel } from '@ai-agent/core/testing';
import { hashOf } from '@ai-agent/server';
import { expect, test } from 'vitest';
import { openBrowser, visit } from './support/browser.ts';
import { servePage } from './support/page-server.ts';

const browser = openBrowser();
const agent = {
  name: 'note',
  description: 'Writes notes',
  instructions: 'Write notes.',
  model: scriptedModel(['Noted.']),
};

test('a wrong key is told, a right one opens the page, and nothing of it is kept', async () => {
  const { url } = await servePage([agent], { keys: { me: { hash: hashOf('a-long-and-secret-key') } } });
  const { page, problems } = await visit(browser(), url);
  await page.getByLabel('Key').fill('not-this-one');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('does not know this key').waitFor();
  await page.getByLabel('Key').fill('a-long-and-secret-key');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
  expect(kept).not.toContain('a-long-and-secret-key');
  await page.reload();
  await page.getByLabel('Key').waitFor();
  // The browser itself says of each refusal that there was one.
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('401')));
});
