// The promise: in one thread one is answered after the other, in the order in which they asked; who waits is told so, and a few may.

import { type Clock, defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { systemClock } from '../../cli/src/platform.ts';
import { buttonsOf, findAnswer, isAnswered, saidTo, wordsOf } from './support/answers.ts';
import { openSlackHouse, type SlackHouse } from './support/slack-house.ts';

async function openDesk(clock: Clock = systemClock) {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((request) => ({
    text: `Heard ${saidTo(request)
      .at(-1)
      ?.replace(/^user: (?:\w+ asks:\n)?/, '')}.`,
    until: gate.promise,
  }));
  const house = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], { clock });
  const channel = house.slack.channel('general');
  return { ...house, model, channel, open: gate.resolve };
}

const texts = ({ slack }: SlackHouse) => slack.ephemerals.map(({ text, ephemeralFor }) => ({ text, ephemeralFor }));

test('two at once are answered one after the other, and the second is told', async () => {
  const house = await openDesk();
  const { slack, channel, model, open } = house;
  const [jane, joe] = [slack.person('jane'), slack.person('joe')];
  const { ts } = await slack.say({ channel, user: jane, text: 'We paint the house.' });
  await slack.say({ channel, user: jane, text: `<@${slack.bot}> one`, threadTs: ts });
  await slack.say({ channel, user: joe, text: `<@${slack.bot}> two`, threadTs: ts });
  await slack.until(() => slack.ephemerals.length > 0 && model.requests.length > 0);
  expect(texts(house)).toEqual([{ text: 'I am still at work here; yours is next.', ephemeralFor: joe }]);
  expect(slack.ephemerals[0]?.thread_ts).toBe(ts);
  expect(model.requests).toHaveLength(1);
  open();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Heard two.'));
  const thread = slack.thread(channel, ts);
  const at = ['one', 'two'].map((word) => Number(findAnswer(thread, `Heard ${word}.`)?.ts));
  expect(at).toEqual(at.toSorted());
  expect(model.requests.map(saidTo)).toEqual([
    ['user: one'],
    ['user: one', 'assistant: Heard one.', 'user: joe asks:\ntwo'],
  ]);
});

test('of many the order stays, and who finds no place is told to ask again', async () => {
  const house = await openDesk();
  const { slack, channel, model, open, told } = house;
  const people = ['0', '1', '2', '3', '4', '5', '6'].map((name) => slack.person(name));
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: 'We paint the house.' });
  for (const [index, user] of people.entries())
    await slack.say({ channel, user, text: `<@${slack.bot}> question ${index}`, threadTs: ts });
  await slack.until(() => slack.ephemerals.length === 6 && model.requests.length === 1);
  const refused = texts(house).filter(({ text }) => text.startsWith('Too much waits'));
  expect(refused).toEqual([
    { text: 'Too much waits in this thread already. Ask again when I have answered.', ephemeralFor: people[6] },
  ]);
  const toWaiting = people
    .slice(1, 6)
    .map((user) => texts(house).find(({ ephemeralFor }) => ephemeralFor === user)?.text);
  expect(toWaiting.map((text) => text?.replace('I am still at work here; ', ''))).toEqual([
    'yours is next.',
    'one other comes before yours.',
    '2 others come before yours.',
    '3 others come before yours.',
    '4 others come before yours.',
  ]);
  open();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'question 5'));
  const asked = model.requests.map((request) => saidTo(request).at(-1));
  expect(asked.map((said) => said?.replace(/^user: (?:\d asks:\n)?/, ''))).toEqual(
    [0, 1, 2, 3, 4, 5].map((index) => `question ${index}`),
  );
  expect(told).toEqual([]);
});

test('whose turn comes soon is not told that they wait', async () => {
  // A second that nobody needs lasts a minute here, however slow the machine is.
  const { after } = systemClock;
  const slow: Clock = { ...systemClock, after: (ms, wake, isIdle) => after(isIdle ? ms * 60 : ms, wake, isIdle) };
  const { slack, channel, open } = await openDesk(slow);
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> one` });
  await slack.say({ channel, user: slack.person('joe'), text: `<@${slack.bot}> two`, threadTs: ts });
  open();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Heard two.'));
  expect(slack.ephemerals).toEqual([]);
});

test('who waits when the server stops is told so, and nobody is left without a word', async () => {
  const { slack, channel, model, stop, told } = await openDesk();
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: 'We paint the house.' });
  for (const name of ['jane', 'joe', 'eve'])
    await slack.say({ channel, user: slack.person(name), text: `<@${slack.bot}> go`, threadTs: ts });
  await slack.until(() => slack.ephemerals.length === 2 && model.requests.length === 1);
  await stop();
  const ours = slack.thread(channel, ts).filter(({ user }) => user === slack.bot);
  expect(ours.map(wordsOf)).toEqual([
    expect.stringContaining('The server stopped before this run had ended.'),
    expect.stringMatching(/stop/),
    expect.stringMatching(/stop/),
  ]);
  expect(ours.flatMap(buttonsOf)).not.toContain('Cancel');
  expect(model.requests).toHaveLength(1);
  expect(told).toEqual([]);
});

test('another thread does not wait', async () => {
  const { slack, channel, model } = await openDesk();
  for (const name of ['jane', 'joe'])
    await slack.say({ channel, user: slack.person(name), text: `<@${slack.bot}> go` });
  await slack.until(() => model.requests.length === 2);
  expect(slack.ephemerals).toEqual([]);
});
