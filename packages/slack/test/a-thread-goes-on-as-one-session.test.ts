// The promise: a thread is one session. Who mentions us there again goes on with it, what others said in between comes along, and the agent stays.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { aboutOf, findAnswer, isAnswered, saidTo } from './support/answers.ts';
import { openKept } from './support/kept.ts';
import { openSlackHouse } from './support/slack-house.ts';

function toAgent(name: string) {
  const model = scriptedModel((_, call) => `${name} says ${call}.`);
  return { agent: defineAgent({ name, model, instructions: 'Answer.' }), said: () => model.requests.map(saidTo) };
}

test('a second mention is answered by who knows the first, in the same session', async () => {
  const { agent, said } = toAgent('desk');
  const { slack, hall, headend, told } = await openSlackHouse([agent]);
  const channel = slack.channel('general');
  const [jane, joe] = [slack.person('jane'), slack.person('joe')];
  const { ts } = await slack.say({ channel, user: jane, text: `<@${slack.bot}> what colour is it?` });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'desk says 1.') && headend.running === 0);
  await slack.say({ channel, user: joe, text: `And the roof, <@${slack.bot}>?`, threadTs: ts });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'desk says 2.'));
  const thread = slack.thread(channel, ts);
  const [first, second] = ['desk says 1.', 'desk says 2.'].map((words) => aboutOf(findAnswer(thread, words)));
  expect(first).toMatchObject({ round: 0, asker: jane });
  // Who asked last is who may go on.
  expect(second).toEqual({ session: first?.session, round: 1, asker: joe });
  expect(said()).toEqual([
    ['user: what colour is it?'],
    ['user: what colour is it?', 'assistant: desk says 1.', 'user: joe asks:\nAnd the roof, ?'],
  ]);
  expect(await hall.store.list({ limit: 10 })).toMatchObject([{ id: first?.session, resumptions: 1 }]);
  expect([told, slack.ephemerals]).toEqual([[], []]);
});

test('what others said in between comes along, once, and our own words do not', async () => {
  const { agent, said } = toAgent('desk');
  const { slack } = await openSlackHouse([agent], { settings: { historyLimit: 50 } });
  const channel = slack.channel('general');
  const [jane, joe] = [slack.person('jane'), slack.person('joe')];
  const { ts } = await slack.say({ channel, user: jane, text: 'We paint the house.' });
  const ask = (text: string) => slack.say({ channel, user: jane, text: `<@${slack.bot}> ${text}`, threadTs: ts });
  await ask('what colour?');
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'desk says 1.'));
  await slack.say({ channel, user: joe, text: 'It rains.', threadTs: ts });
  await ask('and now?');
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'desk says 2.'));
  await ask('sure?');
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'desk says 3.'));
  const asked = said().map((words) => words.at(-1) ?? '');
  expect(asked[0]).toMatch(/jane: We paint the house\.\n[\s\S]*what colour\?$/);
  expect(asked[1]).toMatch(/joe: It rains\.\n[\s\S]*and now\?$/);
  expect(asked[1]).not.toMatch(/paint|what colour|desk says/);
  expect(asked[2]).toBe('user: sure?');
});

test('it keeps its agent, also where the rules would choose another by now', async () => {
  const [desk, night] = [toAgent('desk'), toAgent('night')];
  const store = await openKept();
  const { slack, stop } = await openSlackHouse([desk.agent, night.agent], { store });
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> hello` });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'desk says 1.'));
  await stop();
  const settings = { routing: { default: { agent: 'night' } } };
  await openSlackHouse([desk.agent, night.agent], { slack, store, settings });
  await slack.say({ channel, user, text: `<@${slack.bot}> and again`, threadTs: ts });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'desk says 2.'));
  const other = await slack.say({ channel, user, text: `<@${slack.bot}> hello` });
  await slack.until(() => isAnswered(slack.thread(channel, other.ts), 'night says 1.'));
});

test('where its agent is not served any more, the thread says so', async () => {
  const [desk, night] = [toAgent('desk'), toAgent('night')];
  const store = await openKept();
  const { slack, stop } = await openSlackHouse([desk.agent], { store });
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> hello` });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'desk says 1.'));
  await stop();
  const { told } = await openSlackHouse([night.agent], { slack, store });
  await slack.say({ channel, user, text: `<@${slack.bot}> and again`, threadTs: ts });
  await slack.until(() => JSON.stringify(slack.thread(channel, ts)).includes('desk is not served here.'));
  expect([night.said(), told]).toEqual([[], []]);
});
