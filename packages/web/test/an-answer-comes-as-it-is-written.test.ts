// Somebody asks an agent and reads the answer while it is written; then they go on.

import { expect, test } from 'vitest';
import { ask, whenListening } from './support/ask.ts';
import { openBrowser, visit } from './support/browser.ts';
import { longestTask } from './support/longest-task.ts';
import { servePage, TypingModel } from './support/page-server.ts';

const browser = openBrowser();

test('words arrive one after the other, thoughts are folded away, and the talk goes on', async () => {
  const model = new TypingModel();
  const { url } = await servePage([{ name: 'note', description: 'Writes notes', instructions: 'Write.', model }]);
  const { page } = await visit(browser(), url);
  await ask(page, 'Note the tide');
  const first = await model.next();
  await page.waitForURL(/#\/s\//);
  await page.getByRole('article', { name: 'You' }).getByText('Note the tide').waitFor();
  await whenListening(page);
  first.think('It is about water.');
  await page.getByText('Thinking', { exact: true }).first().waitFor();
  first.say('High water ');
  await page.getByText('High water').waitFor();
  await page.getByLabel('Message').fill('And low');
  await page.keyboard.press('Enter');
  await page.getByText('It can be sent when the answer is there.').waitFor();
  expect(await page.getByLabel('Message').inputValue()).toBe('And low');
  first.say('at seven.').end();
  await page.getByText('High water at seven.').waitFor();
  await page.getByText(/160 tokens · 50% from cache · \$0.0021/).waitFor();
  expect(await page.getByText('It is about water.').isVisible()).toBe(false);
  await page.getByText(/^Thought/).click();
  expect(await page.getByText('It is about water.').isVisible()).toBe(true);
  expect(await page.title()).toBe('Note the tide · ai-agent');
  expect(await page.getByRole('status').first().textContent()).toBe('note has answered.');
  expect(await page.getByText('It can be sent when the answer is there.').count()).toBe(0);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByLabel('Message').fill('Something else');
  await page.goBack();
  await page.getByText('High water at seven.').waitFor();
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('And low');

  await ask(page, 'And low water?');
  const second = await model.next();
  second.say('At one.').end();
  await page.getByText('At one.').waitFor();
  expect(await page.getByRole('article', { name: 'Answer' }).count()).toBe(2);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Something else');
  expect(
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /Note the tide/ })
      .count(),
  ).toBe(1);
});

test('what the server does not take stays where it was written, with the reason', async () => {
  const { url } = await servePage([
    { name: 'note', description: 'Writes notes', instructions: 'Write.', model: new TypingModel() },
  ]);
  const { page, context, problems } = await visit(browser(), url);
  await page.getByLabel('Message').fill('line one');
  await page.getByLabel('Message').press('Shift+Enter');
  await page.keyboard.type('line two');
  await context.setOffline(true);
  await page.getByLabel('Message').press('Enter');
  await page.getByText('The server does not answer.').waitFor();
  expect(await page.getByLabel('Message').inputValue()).toBe('line one\nline two');
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('ERR_INTERNET')));
});

test('whoever has gone elsewhere before the server answers stays there, and finds it in the list', async () => {
  const model = new TypingModel();
  const { url } = await servePage([{ name: 'note', description: 'Writes notes', instructions: 'Write.', model }]);
  const { page, problems } = await visit(browser(), url);
  await ask(page, 'The first');
  (await model.next()).say('Noted.').end();
  await page.getByText('Noted.').waitFor();
  const list = page.getByRole('navigation');
  await list.getByRole('link', { name: 'New conversation' }).click();
  // One that does not get through comes back to its place, also while that is looked at again.
  const lost = Promise.withResolvers<void>();
  await page.route('**/v1/sessions', (route) => lost.promise.then(() => route.abort()), { times: 1 });
  await ask(page, 'The lost');
  await list.getByRole('link', { name: /The first/ }).click();
  await page.getByText('Noted.').waitFor();
  await list.getByRole('link', { name: 'New conversation' }).click();
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('');
  lost.resolve();
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('The lost');
  problems.splice(0, problems.length, ...problems.filter((problem) => !/net::ERR_/.test(problem)));
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/sessions', (route) => held.promise.then(() => route.continue()));
  await ask(page, 'The second');
  // What this page knew of it when it began is not told as how it stands.
  await page.route('**/events*', () => {});
  await list.getByRole('link', { name: /The first/ }).click();
  await page.getByRole('button', { name: 'Timeline' }).waitFor();
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  held.resolve();
  (await model.next()).say('Noted too.').end();
  await list.getByRole('link', { name: /The second/ }).waitFor();
  expect(await page.title()).toBe('The first · ai-agent');
});

test('the address chooses an agent; its usage is what one may write', async () => {
  const agent = (name: string) => ({ name, description: `Is ${name}`, instructions: 'x', model: new TypingModel() });
  const { url } = await servePage([
    { name: 'one', agent: agent('one') },
    { name: 'two', agent: agent('two'), usage: 'What is two?' },
  ]);
  const { page } = await visit(browser(), `${url}#/a/two`);
  expect(await page.getByRole('radio', { name: /^two/ }).isChecked()).toBe(true);
  expect(await page.getByLabel('Message').getAttribute('placeholder')).toBe('What is two?');
  await page.getByLabel('Message').fill('kept');
  await page.getByRole('radio', { name: /^one/ }).press('ArrowUp');
  await page.getByRole('radio', { name: /^two/ }).press('ArrowUp');
  expect(page.url()).toMatch(/#\/a\/one$/);
  expect(await page.getByLabel('Message').inputValue()).toBe('kept');
});

test('below a path of somebody else the page is found, with a slash behind it and without', async () => {
  const model = new TypingModel();
  const { url } = await servePage([{ name: 'note', instructions: 'Write.', model }], { below: '/agents' });
  for (const path of ['/agents', '/agents/', '/agents#/a/note']) {
    const { page, problems } = await visit(browser(), new URL(path, url).href);
    await ask(page, 'Note the tide');
    (await model.next()).say('High water at seven.').end();
    await page.getByText('High water at seven.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/agents/');
    // Without the slash a browser looks ahead, and finds nothing there.
    if (!path.includes('/agents/')) problems.splice(0, problems.length, ...problems.filter((one) => !/404/.test(one)));
  }
});

test('a very long text that is there at once is drawn piece by piece: the page answers meanwhile', async () => {
  const model = new TypingModel();
  const { url } = await servePage([{ name: 'note', description: 'Writes notes', instructions: 'Write.', model }]);
  const { page } = await visit(browser(), url);
  await ask(page, 'All of it');
  const typing = await model.next();
  await whenListening(page);
  typing.say('So it is: ');
  await page.getByText('So it is:').waitFor();
  const part = (i: number) =>
    `## Part ${i}\n\nSome **bold** words, and \`code\`.\n\n| a | b |\n| - | - |\n| ${i} | 2 |\n\n`;
  const longest = await longestTask(browser(), page, async () => {
    typing.say(Array.from({ length: 1_500 }, (_, i) => part(i)).join(''));
    await page.getByRole('heading', { name: 'Part 1499' }).waitFor({ timeout: 30_000 });
  });
  expect(longest).toBeLessThan(800);
}, 40_000);
