// The promise: a run is stopped or cancelled by who asked, or by an admin; everybody else is told so, at once, and nothing changes.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { workButtons } from '../src/act/buttons.ts';
import { buttonsOf, wordsOf } from './support/answers.ts';
import { openSlackHouse, type SlackHouseOptions } from './support/slack-house.ts';
import type { SlackStandIn } from './support/slack-stand-in.ts';
import { ask } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

async function open(options: SlackHouseOptions = {}) {
  const model = new TypingModel();
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const house = await openSlackHouse([agent], { streaming: false, ...options });
  return { ...house, model };
}

test('who asked stops it, and has what there was, with a note', async () => {
  const { slack, model, told } = await open();
  const talk = await ask(slack, 'tell me all');
  const typing = await model.next();
  typing.say('The first half, ');
  const status = await talk.status();
  expect((await slack.press(status, 'Stop', talk.user)).ackMs).toBeLessThan(1_000);
  const answer = await Promise.race([talk.answer(), sumUp(model)]);
  expect(answer.ts).toBe(status.ts);
  expect(wordsOf(answer)).toMatch(/^In short: half\.\nIt was stopped by jane: this is what it had\.\n/);
  expect(buttonsOf(answer)).toEqual(['Retry', 'Details', 'Download JSON']);
  expect(slack.ephemerals).toEqual([]);
  expect(told).toEqual([]);

  /** The last call of a run that is asked to stop. */
  async function sumUp({ next }: TypingModel): Promise<never> {
    (await next.call(model)).say('In short: half.').end();
    return new Promise(() => {});
  }
});

test('who asked cancels it', async () => {
  const { slack, model, headend } = await open();
  const talk = await ask(slack, 'tell me all');
  const typing = await model.next();
  const status = await talk.status();
  expect((await slack.press(status, 'Cancel', talk.user)).ackMs).toBeLessThan(1_000);
  const answer = await talk.answer();
  expect(typing.isCutOff).toBe(true);
  expect(wordsOf(answer)).toMatch(/^Cancelled by jane\.\ndesk/);
  await slack.until(() => headend.running === 0, 'the end');
});

test('a stranger is told, and changes nothing; an admin may', async () => {
  const admins: string[] = [];
  const { slack, model } = await open({ settings: { admins } });
  const talk = await ask(slack, 'tell me all');
  const [stranger, admin] = [slack.person('eve'), slack.person('root')];
  admins.push(admin);
  const typing = await model.next();
  const status = await talk.status();
  for (const button of ['Stop', 'Cancel'])
    expect((await slack.press(status, button, stranger)).ackMs).toBeLessThan(1_000);
  await slack.until(() => slack.ephemerals.length === 2, 'that it is not theirs');
  for (const said of slack.ephemerals)
    expect(said).toMatchObject({
      ephemeralFor: stranger,
      thread_ts: talk.ts,
      text: 'Only the person who asked, or an admin, can do that.',
    });
  expect(typing.isCutOff).toBe(false);
  expect(wordsOf(status)).toMatch(/^desk is at work/);
  await slack.press(status, 'Stop', admin);
  (await model.next()).say('In short.').end();
  expect(wordsOf(await talk.answer())).toMatch(/^In short\.\nIt was stopped by root:/);
});

test('a value that was made up opens nothing', async () => {
  const { slack, model } = await open();
  const talk = await ask(slack, 'tell me all');
  const typing = await model.next();
  const status = await talk.status();
  const stranger = slack.person('eve');
  for (const value of ['', '{}', 'null', '[1]', '{"asker":""}'])
    await slack.press(status, 'Cancel', stranger, { value });
  await slack.until(() => slack.ephemerals.length === 5, 'that it is not theirs');
  expect(typing.isCutOff).toBe(false);
});

test('a press is acknowledged at once while the house is slow', async () => {
  const { slack, model, hall } = await open();
  const talk = await ask(slack, 'tell me all');
  (await model.next()).say('All.').end();
  const answer = await talk.answer();
  const { promise: isBack, resolve } = Promise.withResolvers<void>();
  const get = hall.notes.get.bind(hall.notes);
  hall.notes.get = async (name) => isBack.then(() => get(name));
  expect((await pressStale(slack, answer, talk.user)).ackMs).toBeLessThan(1_000);
  expect(slack.ephemerals).toEqual([]);
  resolve();
  await slack.until(() => slack.ephemerals.length === 1, 'that it has ended');
});

test('a press while what was said before is read ends it too', async () => {
  const { slack, model } = await open({ settings: { historyLimit: 10 } });
  const release = slack.holdNext('conversations.history');
  const talk = await ask(slack, 'tell me all');
  const status = await talk.status();
  await slack.until(() => slack.calls('conversations.history').length === 1, 'the reading');
  await slack.press(status, 'Cancel', talk.user);
  await slack.until(() => wordsOf(status).startsWith('desk is being cancelled\n'), 'that it is being cancelled');
  release();
  await slack.until(() => wordsOf(status).startsWith('Cancelled by jane before it began.'), 'the end');
  // Nobody was asked, and its thread can be gone on with.
  await slack.say({ channel: talk.channel, user: talk.user, threadTs: talk.ts, text: `<@${slack.bot}> again` });
  (await model.next()).say('Here it is.').end();
  await slack.until(() => talk.ours().some((one) => wordsOf(one).startsWith('Here it is.\n')), 'an answer');
});

test('a press that comes after the end is told so, and means no run that came later', async () => {
  const { slack, model } = await open();
  const talk = await ask(slack, 'one');
  (await model.next()).say('First.').end();
  const answer = await talk.answer();
  const press = () => pressStale(slack, answer, talk.user);
  await press();
  await slack.until(() => slack.ephemerals.length === 1, 'that it has ended');
  expect(slack.ephemerals[0]?.text).toBe('It has ended already.');
  const other = slack.person('joe');
  await slack.say({ channel: talk.channel, user: other, threadTs: talk.ts, text: `<@${slack.bot}> two` });
  const typing = await model.next();
  await talk.status();
  await press();
  await slack.until(() => slack.ephemerals.length === 2, 'that it has ended');
  expect(typing.isCutOff).toBe(false);
  typing.say('Second.').end();
  await slack.until(() => talk.ours().some((one) => wordsOf(one).startsWith('Second.\n')), 'the second answer');
});

test('a press that comes after it has asked something leaves the question open', async () => {
  const input = { question: 'Which colour?', choices: ['red', 'blue'] };
  const model = scriptedModel([{ calls: [{ name: 'ask_user', input }] }, 'Thank you.']);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Ask.', ask: 'person' });
  const { slack, headend } = await openSlackHouse([agent]);
  const talk = await ask(slack, 'one');
  const find = () => talk.ours().find((message) => buttonsOf(message).includes('blue'));
  await slack.until(() => find() !== undefined && headend.running === 0, 'a question');
  const question = find() as Message;
  await pressStale(slack, question, talk.user);
  await slack.until(() => slack.ephemerals.length === 1, 'that it has ended');
  expect(slack.ephemerals[0]?.text).toBe('It has ended already.');
  await slack.press(question, 'blue', talk.user);
  expect(wordsOf(await talk.answer())).toMatch(/^Thank you\.\n/);
});

/** Of who had not yet seen the answer when they pressed. */
function pressStale(slack: SlackStandIn, answer: Message, user: string) {
  const { blocks } = answer;
  answer.blocks = [workButtons(user, false) as never];
  try {
    return slack.press(answer, 'Cancel', user);
  } finally {
    answer.blocks = blocks;
  }
}

test('what looks at work and is known to nobody says that it has ended, once somebody presses', async () => {
  const { slack } = await open();
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts } = await slack.say({ channel, user, text: 'go', silently: true });
  // As a process leaves it that kept nothing, and was killed.
  const words = { text: 'desk is at work', unfurl_links: false, unfurl_media: false };
  const left = { channel, thread_ts: ts, ...words, blocks: [workButtons(user, false)] };
  await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(left),
  });
  const [, status] = slack.thread(channel, ts);
  await slack.press(status as Message, 'Cancel', user);
  await slack.until(() => slack.ephemerals.length === 1, 'that it has ended');
  const shown = () => slack.thread(channel, ts).at(-1);
  await slack.until(() => wordsOf(shown()) === 'It has ended: nobody is at work on this.', 'that for everybody');
  expect(buttonsOf(shown())).toEqual([]);
});
