// The promise: what Slack delivers again, or tells in two events, is taken up once: at the same instant, later, and after a restart.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { isAnswered, saidTo } from './support/answers.ts';
import { newFile, openKept } from './support/kept.ts';
import { openSlackHouse } from './support/slack-house.ts';
import type { SlackStandIn } from './support/slack-stand-in.ts';

function toDesk() {
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  return { agent, asked: () => model.requests.map((request) => saidTo(request).at(-1)) };
}

/** Whatever came before it has been taken up, or left alone, when this is answered. */
async function askAndWait(slack: SlackStandIn, words: string) {
  const channel = slack.channel('elsewhere');
  const { ts } = await slack.say({ channel, user: slack.person('joe'), text: `<@${slack.bot}> last` });
  await slack.until(() => isAnswered(slack.thread(channel, ts), words));
}

test('a mention that comes again and again is answered once', async () => {
  const { agent, asked } = toDesk();
  const { slack, told } = await openSlackHouse([agent]);
  const channel = slack.channel('general');
  const { ts, events } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> first` });
  expect(events.map(({ event }) => event.type)).toEqual(['message', 'app_mention']);
  // While it is being answered, and afterwards.
  await Promise.all(events.flatMap((event) => [1, 2].map((retry) => slack.deliver(event, { retry }))));
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  for (const event of events) await slack.deliver(event, { retry: 3 });
  await askAndWait(slack, 'Answer 2.');
  expect(asked()).toEqual(['user: first', 'user: last']);
  expect(slack.thread(channel, ts)).toHaveLength(2);
  expect([told, slack.ephemerals]).toEqual([[], []]);
});

test('a direct message, a post by a rule and an answer in a thread too', async () => {
  const { agent, asked } = toDesk();
  const rules = [{ channels: ['#alerts'], engage: ['channel-posts' as const] }];
  const { slack } = await openSlackHouse([agent], { settings: { routing: { rules }, threadReplies: true } });
  const user = slack.person('jane');
  const places = [slack.dm(user), slack.channel('alerts')];
  for (const [index, channel] of places.entries()) {
    const { ts, events } = await slack.say({ channel, user, text: `said ${index}` });
    await Promise.all(events.map((event) => slack.deliver(event, { retry: 1 })));
    await slack.until(() => isAnswered(slack.thread(channel, ts), `Answer ${1 + 2 * index}.`));
    const reply = await slack.say({ channel, user, text: `replied ${index}`, threadTs: ts });
    await Promise.all(reply.events.map((event) => slack.deliver(event, { retry: 1 })));
    await slack.until(() => isAnswered(slack.thread(channel, ts), `Answer ${2 + 2 * index}.`));
  }
  await askAndWait(slack, 'Answer 5.');
  expect(asked()).toEqual(['said 0', 'replied 0', 'said 1', 'replied 1', 'last'].map((words) => `user: ${words}`));
});

test('a command and a shortcut too; called again, a shortcut is another one', async () => {
  const { agent, asked } = toDesk();
  const { slack } = await openSlackHouse([agent]);
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  await slack.command({ command: '/ask', text: 'by command', channel, user, isTwice: true });
  await slack.until(() => isAnswered(slack.messages(channel), 'Answer 1.'));
  const { ts } = await slack.say({ channel, user, text: 'a message' });
  for (const answer of ['Answer 2.', 'Answer 3.']) {
    await slack.shortcut({ channel, ts, callbackId: 'ask_bot', user, isTwice: true });
    await slack.until(() => isAnswered(slack.thread(channel, ts), answer));
  }
  await askAndWait(slack, 'Answer 4.');
  expect(asked()).toEqual(['by command', 'a message', 'a message', 'last'].map((words) => `user: ${words}`));
});

test('a house that was opened anew over the same store knows what was taken up', async () => {
  const { agent, asked } = toDesk();
  const path = newFile();
  const before = await openKept(path);
  const { slack, stop } = await openSlackHouse([agent], { store: before });
  const channel = slack.channel('general');
  const { ts, events } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> first` });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  await stop();
  await before.close();
  await openSlackHouse([agent], { slack, store: await openKept(path) });
  for (const event of events) await slack.deliver(event, { retry: 1 });
  await askAndWait(slack, 'Answer 2.');
  expect(asked()).toEqual(['user: first', 'user: last']);
  expect(slack.thread(channel, ts)).toHaveLength(2);
});
