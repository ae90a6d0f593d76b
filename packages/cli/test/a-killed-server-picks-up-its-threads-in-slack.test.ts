// The promise: a server that is killed finds its threads in Slack again: what was cut off is said there and can be tried again, and what a
// grandchild had asked is answered by the button that was there.

import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { streamed } from './support/served.ts';
import { serveInSlack } from './support/served-in-slack.ts';

test('in the middle, and with a question open', { timeout: 60_000 }, async () => {
  const held: ServerResponse[] = [];
  let isSlow = true;
  const { slack, start: serve } = await serveInSlack({
    answer(response) {
      if (isSlow) held.push(response);
      else streamed(response, ['It was ', 'the gardener.']);
    },
    section: { routing: { rules: [{ channels: ['#trips'], agent: 'lead' }] } },
    files: {
      'lead.ai': agentFile('agents: middle.ai'),
      'middle.ai': agentFile('agents: grandchild.ai'),
      'grandchild.ai': agentFile('ask: person'),
    },
  });
  const { bot } = slack;
  const start = () => serve('sleuth.ai', 'lead.ai', '--slack', '--port', '0');
  const [user, crimes, trips] = [slack.person('jane'), slack.channel('crimes'), slack.channel('trips')];
  const first = await start();
  const cut = await slack.say({ channel: crimes, user, text: `<@${bot}> who was it?` });
  const asked = await slack.say({ channel: trips, user, text: `<@${bot}> ${question}` });
  const shows = (channel: string, ts: string, words: string) =>
    slack.until(() => JSON.stringify(slack.thread(channel, ts)).includes(words), words);
  await slack.until(() => held.length === 1, 'the model to be asked');
  await shows(trips, asked.ts, 'Answer');
  first.child.kill('SIGKILL');
  await first.ended;
  // Edits are a second apart in each process; of the one before, the next knows nothing.
  await setTimeout(1_000);
  isSlow = false;
  const second = await start();
  await shows(crimes, cut.ts, 'The server stopped while I was at work');
  await slack.press(lastOf(crimes, cut.ts), 'Retry', user);
  await shows(crimes, cut.ts, 'the gardener');
  await slack.press(lastOf(trips, asked.ts), 'Answer', user);
  await slack.until(() => slack.views.length === 1, 'a form');
  const [view] = slack.views;
  if (view) await slack.submit(view, { answer: { input: 'Before ten.' } }, user);
  // Who was killed may have held the thread: that is over after some seconds.
  await expect
    .poll(() => JSON.stringify(slack.thread(trips, asked.ts)), { timeout: 20_000, interval: 100 })
    .toContain('Retry');
  expect(JSON.stringify(slack.thread(trips, asked.ts))).toContain('Before ten.');
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);

  function lastOf(channel: string, ts: string) {
    const message = slack.thread(channel, ts).at(-1);
    if (!message) throw new Error('The thread is empty.');
    return { channel, ts: message.ts };
  }
});

test('with an answer that was there and not all told', { timeout: 90_000 }, async () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `w${String(index).padStart(4, '0')}`);
  const answers = [words.join(' '), 'In short.'];
  const { slack, start } = await serveInSlack({
    answer: (response) => streamed(response, [answers.shift() ?? '']),
  });
  const { bot } = slack;
  const [user, channel] = [slack.person('jane'), slack.channel('crimes')];
  const first = await start();
  const { ts } = await slack.say({ channel, user, text: `<@${bot}> all of it` });
  const thread = () => JSON.stringify(slack.thread(channel, ts).map(({ blocks }) => blocks));
  const told = () => thread().match(/w\d{4}/g) ?? [];
  await slack.until(() => slack.thread(channel, ts).length >= 3, 'some of it');
  first.child.kill('SIGKILL');
  await first.ended;
  const before = told().length;
  expect(before).toBeLessThan(words.length);
  await setTimeout(1_000);
  const second = await start();
  await slack.say({ channel, user, text: `<@${bot}> and in short?`, threadTs: ts });
  await expect.poll(thread, { timeout: 60_000, interval: 200 }).toContain('In short.');
  expect(thread()).not.toContain('The server stopped');
  expect(new Set(told()).size).toBe(words.length);
  expect(told()).toHaveLength(words.length);
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});

test('with one message that was about to begin, and one that waited for its turn', { timeout: 90_000 }, async () => {
  const held: ServerResponse[] = [];
  let isSlow = true;
  const { slack, start } = await serveInSlack({
    answer(response) {
      if (isSlow) held.push(response);
      else streamed(response, ['It was ', 'the gardener.']);
    },
  });
  const { bot } = slack;
  const [user, channel] = [slack.person('jane'), slack.channel('crimes')];
  const first = await start();
  const atWork = await slack.say({ channel, user, text: `<@${bot}> who was it?` });
  await slack.until(() => held.length === 1, 'the model to be asked');
  await slack.say({ channel, user, text: `<@${bot}> and why?`, threadTs: atWork.ts });
  await slack.until(() => slack.ephemerals.length === 1, 'that it waits');
  const release = slack.holdNext('conversations.history');
  const about = await slack.say({ channel, user, text: `<@${bot}> and when?` });
  await slack.until(() => slack.thread(channel, about.ts).length === 2, 'a status');
  first.child.kill('SIGKILL');
  await first.ended;
  release();
  isSlow = false;
  const second = await start();
  const answersIn = (ts: string) =>
    slack.thread(channel, ts).filter((message) => JSON.stringify(message.blocks).includes('the gardener'));
  const find = () => [atWork.ts, about.ts].map((ts) => answersIn(ts).length);
  await expect.poll(find, { timeout: 60_000, interval: 200 }).toEqual([1, 1]);
  expect(JSON.stringify(slack.thread(channel, atWork.ts))).toContain('The server stopped while I was at work');
  await slack.until(() => !JSON.stringify(slack.messages(channel)).includes('cancel_run'), 'that nothing is at work');
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  expect(find()).toEqual([1, 1]);
});

const question = 'When do you want to be back?';

function agentFile(more: string): string {
  return `---\ndescription: plans\nusage: "${question}"\nmodels: offline/demo\n${more}\n---\nYou plan a day out. Ask what you have to know.\n`;
}
